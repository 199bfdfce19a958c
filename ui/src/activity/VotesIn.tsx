// The votes that a receipt tells of, and which of them is signed with a passkey: what it says, and once it was verified
// what is proven.
import { useQuery } from "@tanstack/react-query";
import { useNames } from "../api/who";
import { passkeys } from "../passkeys/queries";
import { moment } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import type { Proof } from "./ledger";
import type { Receipt } from "./queries";

interface Vote {
  user: string;
  verdict: string;
  at: string;
  assertion?: unknown;
}

export function VotesIn({ receipt, proof }: { receipt: Receipt; proof: Proof | null }) {
  const votes = votesIn(receipt);
  const nameOf = useNames();
  if (votes.length === 0) return null;
  return (
    <ul aria-label="Votes in the receipt" className="divide-y divide-edge border-t border-edge">
      {votes.map((vote) => (
        <li key={vote.user} className="space-y-0.5 px-4 py-2.5">
          <p className="flex flex-wrap items-center gap-x-2"><span className="font-medium"><Line text={nameOf(vote.user)} /></span> <Badge tone={vote.verdict === "approved" ? "good" : "bad"}><Line text={vote.verdict} /></Badge></p>
          {vote.assertion == null ? <p className="text-soft">Not signed with a passkey.</p> : <Signature user={vote.user} name={nameOf(vote.user)} proof={proof} />}
          <p className="text-xs text-faint">{moment(vote.at)}</p>
        </li>
      ))}
    </ul>
  );
}

function Signature({ user, name, proof }: { user: string; name: string; proof: Proof | null }) {
  const listed = useQuery(passkeys).data;
  const signed = proof?.isGenuine === true ? proof.signed.find((each) => each.user === user) : undefined;
  if (signed === undefined) return <p className="text-soft">{proof === null ? "It carries a signature with a passkey. Verify the receipt to know whether it holds." : "It carries a signature with a passkey, which proves nothing here: the receipt is not verified."}</p>;
  const own = listed?.find((each) => each.user === user && each.fingerprint === signed.fingerprint && each.credential === signed.credential);
  return (
    <>
      {own !== undefined && <p className="text-good">Signed with <Line text={name} />'s passkey over exactly what was shown.</p>}
      {own === undefined && listed !== undefined && <p className="text-warn">Signed with a passkey over exactly what was shown. It is not among the passkeys that <Line text={name} /> has now: it was removed, or it was never theirs.</p>}
      <p className="text-xs wrap-anywhere text-faint">{own !== undefined && <><Line text={own.name} /> · </>}<span className="font-mono">{signed.fingerprint}</span></p>
    </>
  );
}

/** What the receipt says, whether it is true or not. */
function votesIn({ envelope, kept }: Receipt): Vote[] {
  try {
    const { payload } = (envelope ?? {}) as { payload?: string };
    const bytes = Uint8Array.from(atob(payload ?? ""), (letter) => letter.charCodeAt(0));
    const facts = payload === undefined ? (kept as { facts?: unknown } | null | undefined)?.facts : JSON.parse(new TextDecoder().decode(bytes));
    const votes = (facts as { approvals?: Vote[] } | undefined)?.approvals ?? [];
    return votes.filter((vote) => [vote.user, vote.verdict].every((text) => typeof text === "string") && !Number.isNaN(Date.parse(vote.at)));
  } catch {
    return [];
  }
}
