// The votes in a receipt, and whether their passkey signatures were verified.
import { useQuery } from "@tanstack/react-query";
import { useNames } from "../api/permissions";
import { passkeysOf } from "../passkeys/queries";
import type { Proof } from "../receipt/ledger/ledger";
import { moment } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import type { Receipt } from "./queries";
import { votesOf } from "./votes";

export function ReceiptVotes({ receipt, proof }: { receipt: Receipt; proof: Proof | null }) {
  const votes = votesOf(receipt);
  const nameOf = useNames();
  if (votes.length === 0) return null;
  return (
    <ul aria-label="Votes in the receipt" className="divide-y divide-edge border-t border-edge">
      {votes.map(({ user, verdict, at, isSigned, signIn }) => (
        <li key={user} className="space-y-0.5 px-4 py-2.5">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium wrap-anywhere">
              <Line text={nameOf(user)} />
            </span>{" "}
            <Badge tone={verdict === "approved" ? "good" : "bad"}>
              <Line text={verdict} />
            </Badge>
          </p>
          {isSigned ? (
            <Signature user={user} name={nameOf(user)} proof={proof} />
          ) : (
            <p className="text-soft">Not signed with a passkey.</p>
          )}
          <p className="text-xs text-faint empty:hidden">
            {!Number.isNaN(Date.parse(at)) && moment(at)}
            {signIn !== "" && (
              <>
                {" · "}
                <Line text={signIn} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Signature({ user, name, proof }: { user: string; name: string; proof: Proof | null }) {
  const listed = useQuery(passkeysOf(user)).data;
  const signed = proof?.signed.find((each) => each.user === user);
  if (proof === null)
    return <p className="text-soft">Signed with a passkey. Verify the receipt to check the signature.</p>;
  if (!proof.isGenuine || signed === undefined)
    return <p className="text-bad">Claims a passkey signature, but the receipt failed verification.</p>;
  const own = listed?.find((each) => each.fingerprint === signed.fingerprint);
  return (
    <>
      <p className="text-good">
        Signed with the passkey of <Line text={name} /> over exactly what was shown.
      </p>
      <p className="text-xs wrap-anywhere text-faint">
        {own !== undefined && (
          <>
            <Line text={own.name} />
            {own.removed_at != null && `, removed on ${moment(own.removed_at)}`} ·{" "}
          </>
        )}
        <span className="font-mono">{signed.fingerprint}</span>
      </p>
    </>
  );
}
