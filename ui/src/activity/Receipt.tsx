// The receipt of an invocation, and its verification here in the browser, line by line. It can be saved and verified
// without us.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../api/queries";
import { Section } from "../inbox/Section";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { type Invocation, keys, receipt, receiptsOf } from "./queries";
import { save } from "./save";
import type { Shown } from "./shown";
import type { Check, Verdict } from "./verify";

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
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (data === undefined) return <Section title={title}>{error === null ? <Loading what="the receipt" /> : <ProblemCard error={error} />}</Section>;
  const look = async () => {
    setBusy(true);
    setFailed(null);
    try {
      // Asked anew, and not taken from what the page has: a key may have been retired.
      const [published, { verify }] = await Promise.all([queries.fetchQuery({ ...keys, staleTime: 0 }), import("./verify")]);
      const around = { id: data.id, invocation: data.invocation, session: data.session, action: data.action, status: data.status, "timing.finished_at": data.finished_at };
      setVerdict(await verify(data.envelope, published, { ...(view === null ? {} : shown(view)), ...around }));
    } catch (refused) {
      setFailed(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={title}>
      <div className="overflow-hidden rounded-xl border border-edge bg-card">
        <div className="space-y-3 px-4 py-3">
          <p className="font-mono text-xs wrap-anywhere text-faint"><Line text={data.id} /></p>
          <div className="flex flex-wrap gap-2">
            <Button look={verdict === null ? "primary" : "plain"} disabled={isBusy} onClick={() => void look()}>{isBusy ? "Verifying …" : verdict === null ? "Verify" : "Verify again"}</Button>
            <Button onClick={() => save(`${data.id}.json`, JSON.stringify(data.envelope))}>Save as a file</Button>
          </div>
        </div>
        {failed !== null && <div className="p-3"><ProblemCard error={failed} /></div>}
        {verdict !== null && <Result verdict={verdict} />}
        <details className="border-t border-edge px-4 py-2.5">
          <summary className="cursor-pointer text-soft">Verify it without this gateway</summary>
          <p className="mt-2 text-soft">This page comes from the gateway that signed. To trust neither, save the receipt, get the keys once, and ask nobody:</p>
          <pre className="mt-2 rounded-lg bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere">{`countersign receipts keys --out keys.json\ncountersign receipts verify ${data.id}.json --keys keys.json`}</pre>
        </details>
      </div>
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

function Result({ verdict }: { verdict: Verdict }) {
  return (
    <div role="status" aria-label="Verification" className="border-t border-edge">
      <p className={`flex items-center gap-2 px-4 py-2.5 font-semibold ${verdict.isGenuine ? "bg-good-wash text-good" : "bg-bad-wash text-bad"}`}>
        <Icon name={verdict.isGenuine ? "check" : "warning"} className="size-5" />
        {verdict.isGenuine ? "Verified: signed, and unchanged since" : "Not verified"}
      </p>
      <ol className="divide-y divide-edge">{verdict.checks.map((check) => <Looked key={check.name} check={check} />)}</ol>
      {verdict.digest !== null && <p className="border-t border-edge px-4 py-2 font-mono text-xs wrap-anywhere text-faint">{verdict.digest}</p>}
    </div>
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
