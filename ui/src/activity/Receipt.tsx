// The receipt of an invocation, and its verification here in the browser, line by line: its signature and its place in the
// ledger. It can be saved and verified without us.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../api/queries";
import { Section } from "../inbox/Section";
import { passkeysOf } from "../passkeys/queries";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import type { Check } from "./checks";
import { Erased } from "./Erased";
import type { Proof } from "./ledger";
import { bundle, type Invocation, keys, receipt, receiptsOf } from "./queries";
import { save } from "./save";
import type { Shown } from "./shown";
import { votesIn } from "./told";
import { VotesIn } from "./VotesIn";

/** Every receipt of an invocation, the newest first. */
export function Receipts({ latest, view }: { latest: string; view: Invocation }) {
  const earlier = useQuery(receiptsOf(view.id, latest)).data?.items.filter((each) => each.id !== latest) ?? [];
  return (
    <>
      <Receipt id={latest} view={view} title="Receipt" />
      {/* The page shows what became of it in the end, so an earlier one is held only against what stands around it. */}
      {earlier.map((each) => <Receipt key={each.id} id={each.id} view={null} title={`The receipt before it, ${each.status}`} />)}
    </>
  );
}

function Receipt({ id, view, title }: { id: string; view: Invocation | null; title: string }) {
  const { data, error } = useQuery(receipt(id));
  // Nothing before it was looked at; without a proof where there was nothing to look at yet.
  const [looked, setLooked] = useState<{ proof: Proof | null } | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [busy, setBusy] = useState<"verifying" | "saving" | null>(null);
  if (data === undefined) return <Section title={title}>{error === null ? <Loading what="the receipt" /> : <ProblemCard error={error} />}</Section>;
  const attempt = async (what: "verifying" | "saving") => {
    setBusy(what);
    setFailed(null);
    await (what === "verifying" ? look() : keep()).catch(setFailed);
    setBusy(null);
  };
  const look = async () => {
    // Asked anew, and not taken from what the page has: a key may have been retired, and a body erased.
    const signers = votesIn(data).filter((vote) => vote.isSigned).map((vote) => queries.fetchQuery({ ...passkeysOf(vote.user), staleTime: 0 }));
    const [published, proven, { verifyAll }, passkeys] = await Promise.all([queries.fetchQuery({ ...keys, staleTime: 0 }), queries.fetchQuery(bundle(id)), import("./ledger"), Promise.all(signers)]);
    const around = { id: data.id, invocation: data.invocation, session: data.session, action: data.action, status: data.status, "timing.finished_at": data.finished_at };
    setLooked({ proof: await verifyAll(data.envelope, proven, published, { ...(view === null ? {} : shown(view)), ...around }, passkeys.flat()) });
  };
  const keep = async () => {
    const proven = await queries.fetchQuery(bundle(id));
    if (proven !== null) save(`${data.id}.bundle.json`, proven);
    else if (data.envelope != null) save(`${data.id}.json`, JSON.stringify(data.envelope));
    else setLooked({ proof: null });
  };
  const proof = looked?.proof ?? null;
  return (
    <Section title={title}>
      <div className="overflow-hidden rounded-xl border border-edge bg-card">
        <div className="space-y-3 px-4 py-3">
          <p className="font-mono text-xs wrap-anywhere text-faint"><Line text={data.id} /></p>
          <div className="flex flex-wrap gap-2">
            <Button look={looked === null ? "primary" : "plain"} disabled={busy !== null} onClick={() => void attempt("verifying")}>{busy === "verifying" ? "Verifying …" : looked === null ? "Verify" : "Verify again"}</Button>
            <Button disabled={busy !== null} onClick={() => void attempt("saving")}>Save as a file</Button>
          </div>
        </div>
        <VotesIn receipt={data} proof={proof} />
        {failed !== null && <div className="p-3"><ProblemCard error={failed} /></div>}
        {looked !== null && <Result proof={proof} />}
        <details className="border-t border-edge px-4 py-2.5">
          <summary className="cursor-pointer text-soft">Verify it without this gateway</summary>
          <p className="mt-2 text-soft">This page comes from the gateway that signed. To trust neither, save the receipt, get the keys once, and ask nobody:</p>
          <pre className="mt-2 rounded-lg bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">{`countersign receipts keys --out keys.json\ncountersign receipts verify ${data.id}${proof?.isLogged === false ? "" : ".bundle"}.json --keys keys.json`}</pre>
        </details>
      </div>
      {(data.envelope == null || proof?.left != null) && <Erased receipt={data} proven={proof?.left ?? null} />}
    </Section>
  );
}

/** What stands on the page, by where it stands in the receipt. */
function shown(view: Invocation): Shown {
  const { mode, mode_source, reason, guardrails, gates } = view.decision as Record<string, unknown>;
  return {
    agent: view.agent, risk: view.risk, dry_run: view.dry_run, attempts: view.attempts, inputs: view.params, outputs: view.result, error: view.error,
    shown_digest: view.shown_digest, "timing.requested_at": view.requested_at, decision: { mode, mode_source, reason, guardrails, gates },
  };
}

function Result({ proof }: { proof: Proof | null }) {
  return (
    <div role="status" aria-label="Verification" className="border-t border-edge">
      {proof !== null && (
        <>
          <p className={`flex items-center gap-2 px-4 py-2.5 font-semibold ${proof.isGenuine ? "bg-good-wash text-good" : "bg-bad-wash text-bad"}`}>
            <Icon name={proof.isGenuine ? "check" : "warning"} className="size-5" />
            {proof.isGenuine ? proven(proof) : "Not verified"}
          </p>
          <ol className="divide-y divide-edge">{proof.checks.map((check) => <Looked key={check.name} check={check} />)}</ol>
          {proof.digest !== null && <p className="border-t border-edge px-4 py-2 font-mono text-xs wrap-anywhere text-faint">{proof.digest}</p>}
        </>
      )}
      {proof?.isLogged !== true && <NotYet isErased={proof === null} />}
    </div>
  );
}

function proven(proof: Proof): string {
  if (proof.left !== null) return "Verified: in the ledger, as far as it is left";
  return proof.isLogged ? "Verified: signed, in the ledger, and unchanged since" : "Verified: signed, and unchanged since";
}

function NotYet({ isErased }: { isErased: boolean }) {
  return (
    <p className="flex gap-2.5 border-t border-edge px-4 py-2.5 text-soft">
      <span className="mt-0.5"><Icon name="clock" /></span>
      {isErased
        ? "The body was erased, and the ledger does not say so yet. It does about a second later: verify it again in a moment."
        : "The ledger does not hold it yet. It does about a second after a receipt was written: verify it again in a moment. One that is older than the ledger has its signature alone."}
    </p>
  );
}

const MARKS = {
  ok: { icon: "check", colour: "text-good", said: "in order" },
  wrong: { icon: "close", colour: "text-bad", said: "wrong" },
  skipped: { icon: "more", colour: "text-faint", said: "not looked at" },
} as const;

function Looked({ check }: { check: Check }) {
  const mark = MARKS[check.state];
  return (
    <li className="flex gap-2.5 px-4 py-2">
      <span className={`mt-0.5 ${mark.colour}`}><Icon name={mark.icon} /><span className="sr-only">{mark.said}: </span></span>
      <span className="min-w-0">
        <span className="block font-medium">{check.name}</span>
        <span className={`block text-xs wrap-anywhere ${check.state === "wrong" ? "text-bad" : "text-faint"}`}><Line text={check.said} /></span>
      </span>
    </li>
  );
}
