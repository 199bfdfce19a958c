// The receipt of an invocation and its verification in the browser. It can be downloaded and verified elsewhere.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../api/queries";
import { passkeysOf } from "../passkeys/queries";
import type { Check } from "../receipt/checks";
import type { ShownFields } from "../receipt/compare";
import type { Proof } from "../receipt/ledger/ledger";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { Section } from "../ui/Section";
import { download } from "./download";
import { ErasedReceipt } from "./ErasedReceipt";
import { bundle, type Invocation, keys, receipt, receiptsOf } from "./queries";
import { ReceiptVotes } from "./ReceiptVotes";
import { votesOf } from "./votes";

/** All receipts of an invocation, newest first. */
export function Receipts({ latest, view }: { latest: string; view: Invocation }) {
  const earlier = useQuery(receiptsOf(view.id, latest)).data?.items.filter((each) => each.id !== latest) ?? [];
  return (
    <>
      <Receipt id={latest} view={view} title="Receipt" />
      {/* The page shows the final result, so an earlier receipt is compared with fewer fields. */}
      {earlier.map((each) => (
        <Receipt key={each.id} id={each.id} view={null} title={`Previous receipt (${each.status})`} />
      ))}
    </>
  );
}

function Receipt({ id, view, title }: { id: string; view: Invocation | null; title: string }) {
  const { data, error } = useQuery(receipt(id));
  // null until verified; the proof is null when there was nothing to verify yet.
  const [loadedProof, setLoadedProof] = useState<{ proof: Proof | null } | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [busy, setBusy] = useState<"verifying" | "saving" | null>(null);
  if (data === undefined)
    return (
      <Section title={title}>{error === null ? <Loading what="the receipt" /> : <ProblemCard error={error} />}</Section>
    );
  const attempt = async (what: "verifying" | "saving") => {
    setBusy(what);
    setFailed(null);
    await (what === "verifying" ? look() : save()).catch(setFailed);
    setBusy(null);
  };
  const look = async () => {
    // Fetched again, not taken from the cache: a key may have been retired or a body erased meanwhile.
    const signers = votesOf(data)
      .filter((vote) => vote.isSigned)
      .map((vote) => queries.fetchQuery({ ...passkeysOf(vote.user), staleTime: 0 }));
    const [published, proven, { verifyAll }, passkeys] = await Promise.all([
      queries.fetchQuery({ ...keys, staleTime: 0 }),
      queries.fetchQuery(bundle(id)),
      import("../receipt/ledger/ledger"),
      Promise.all(signers),
    ]);
    const around = {
      id: data.id,
      invocation: data.invocation,
      session: data.session,
      action: data.action,
      status: data.status,
      "timing.finished_at": data.finished_at,
    };
    setLoadedProof({
      proof: await verifyAll(
        data.envelope,
        proven,
        published,
        { ...(view === null ? {} : shown(view)), ...around },
        passkeys.flat(),
      ),
    });
  };
  const save = async () => {
    const proven = await queries.fetchQuery(bundle(id));
    if (proven !== null) download(`${data.id}.bundle.json`, proven);
    else if (data.envelope != null) download(`${data.id}.json`, JSON.stringify(data.envelope));
    else setLoadedProof({ proof: null });
  };
  const proof = loadedProof?.proof ?? null;
  const file = `${data.id}${proof?.isLogged === false ? "" : ".bundle"}.json`;
  return (
    <Section title={title}>
      <div className="overflow-hidden rounded-xl border border-edge bg-card">
        <div className="space-y-3 px-4 py-3">
          <p className="font-mono text-xs wrap-anywhere text-faint">
            <Line text={data.id} />
          </p>
          <div className="flex flex-wrap gap-2">
            <Button
              variant={loadedProof === null ? "primary" : "plain"}
              disabled={busy !== null}
              onClick={() => void attempt("verifying")}
            >
              {busy === "verifying" ? "Verifying …" : loadedProof === null ? "Verify" : "Verify again"}
            </Button>
            <Button disabled={busy !== null} onClick={() => void attempt("saving")}>
              Download
            </Button>
          </div>
        </div>
        <ReceiptVotes receipt={data} proof={proof} />
        {failed !== null && (
          <div className="p-3">
            <ProblemCard error={failed} />
          </div>
        )}
        {loadedProof !== null && <Result proof={proof} />}
        <details className="border-t border-edge px-4 py-2.5">
          <summary className="cursor-pointer text-soft">Verify without this gateway</summary>
          <p className="mt-2 text-soft">
            This page is served by the gateway that signed the receipt. To verify it independently, download the receipt
            and run:
          </p>
          <pre className={`mt-2 rounded-lg bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere`}>
            {["countersign receipts keys --out keys.json", `countersign receipts verify ${file} --keys keys.json`].join(
              "\n",
            )}
          </pre>
        </details>
      </div>
      {(data.envelope == null || proof?.left != null) && <ErasedReceipt receipt={data} proven={proof?.left ?? null} />}
    </Section>
  );
}

/** What the page shows, by path in the receipt. */
function shown(view: Invocation): ShownFields {
  const { mode, mode_source, reason, guardrails, gates } = view.decision as Record<string, unknown>;
  return {
    agent: view.agent,
    risk: view.risk,
    dry_run: view.dry_run,
    attempts: view.attempts,
    inputs: view.params,
    outputs: view.result,
    error: view.error,
    // The receipt's field holds the digest of the subject.
    shown_digest: view.subject_digest,
    "timing.requested_at": view.requested_at,
    decision: { mode, mode_source, reason, guardrails, gates },
  };
}

function Result({ proof }: { proof: Proof | null }) {
  return (
    <div role="status" aria-label="Verification" className="border-t border-edge">
      {proof !== null && (
        <>
          <p
            className={`flex items-center gap-2 px-4 py-2.5 font-semibold
              ${proof.isGenuine ? "bg-good-wash text-good" : "bg-bad-wash text-bad"}`}
          >
            <Icon name={proof.isGenuine ? "check" : "warning"} className="size-5" />
            {proof.isGenuine ? proven(proof) : "Not verified"}
          </p>
          <ol className="divide-y divide-edge">
            {proof.checks.map((check) => (
              <CheckRow key={check.name} check={check} />
            ))}
          </ol>
          {proof.digest !== null && (
            <p className="border-t border-edge px-4 py-2 font-mono text-xs wrap-anywhere text-faint">{proof.digest}</p>
          )}
        </>
      )}
      {proof?.isLogged !== true && <Unsequenced isErased={proof === null} />}
    </div>
  );
}

function proven(proof: Proof): string {
  if (proof.left !== null) return "Verified: the remaining facts are in the ledger";
  return proof.isLogged ? "Verified: signed, in the ledger, unchanged" : "Verified: signed, unchanged";
}

function Unsequenced({ isErased }: { isErased: boolean }) {
  return (
    <p className="flex gap-2.5 border-t border-edge px-4 py-2.5 text-soft">
      <span className="mt-0.5">
        <Icon name="clock" />
      </span>
      {isErased
        ? "The content was erased, but the ledger does not record it yet. Verify again in a moment."
        : "The ledger does not contain this receipt yet. Verify again in a moment."}
    </p>
  );
}

const MARKS = {
  ok: { icon: "check", colour: "text-good", label: "passed" },
  wrong: { icon: "close", colour: "text-bad", label: "failed" },
  skipped: { icon: "more", colour: "text-faint", label: "not checked" },
} as const;

function CheckRow({ check }: { check: Check }) {
  const mark = MARKS[check.state];
  return (
    <li className="flex gap-2.5 px-4 py-2">
      <span className={`mt-0.5 ${mark.colour}`}>
        <Icon name={mark.icon} />
        <span className="sr-only">{mark.label}: </span>
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{check.name}</span>
        <span className={`block text-xs wrap-anywhere ${check.state === "wrong" ? "text-bad" : "text-faint"}`}>
          <Line text={check.message} />
        </span>
      </span>
    </li>
  );
}
