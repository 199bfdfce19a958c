// A signed record, verified in the browser. It can be downloaded and verified elsewhere.
import { type ReactNode, useState } from "react";
import type { Check } from "../receipt/checks";
import type { Proof } from "../receipt/ledger/ledger";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { download } from "./download";

interface SignedRecord {
  id: string;
  /** The signed envelope; absent if the content was erased. */
  envelope?: unknown;
  /** The envelope with its ledger proof, as the gateway wrote it; null until it is logged. */
  bundle: () => Promise<string | null>;
  /** Null if there is nothing to verify yet. */
  verify: () => Promise<Proof | null>;
}

interface State {
  id: string;
  /** Null until verified; the proof is null when there was nothing to verify yet. */
  result: { proof: Proof | null } | null;
  failed: unknown;
  busy: "verifying" | "saving" | null;
  verify: () => void;
  save: () => void;
}

export function useVerification({ id, envelope, bundle, verify }: SignedRecord): State {
  const [result, setResult] = useState<State["result"]>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [busy, setBusy] = useState<State["busy"]>(null);
  const attempt = async (what: "verifying" | "saving") => {
    setBusy(what);
    setFailed(null);
    await (what === "verifying" ? look() : save()).catch(setFailed);
    setBusy(null);
  };
  const look = async () => setResult({ proof: await verify() });
  const save = async () => {
    const proven = await bundle();
    if (proven !== null) download(`${id}.bundle.json`, proven);
    else if (envelope != null) download(`${id}.json`, JSON.stringify(envelope));
    else setResult({ proof: null });
  };
  return {
    id,
    result,
    failed,
    busy,
    verify: () => void attempt("verifying"),
    save: () => void attempt("saving"),
  };
}

interface Props {
  /** What is verified: a receipt or a change record. */
  noun: string;
  state: State;
  children?: ReactNode;
}

export function Verification({ noun, state, children }: Props) {
  const { id, result, failed, busy } = state;
  const file = `${id}${result?.proof?.isLogged === false ? "" : ".bundle"}.json`;
  return (
    <div className="overflow-hidden rounded-xl border border-edge bg-card">
      <div className="space-y-3 px-4 py-3">
        <p className="font-mono text-xs wrap-anywhere text-faint">
          <Line text={id} />
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant={result === null ? "primary" : "plain"} disabled={busy !== null} onClick={state.verify}>
            {busy === "verifying" ? "Verifying …" : result === null ? "Verify" : "Verify again"}
          </Button>
          <Button disabled={busy !== null} onClick={state.save}>
            Download
          </Button>
        </div>
      </div>
      {children}
      {failed !== null && (
        <div className="p-3">
          <ProblemCard error={failed} />
        </div>
      )}
      {result !== null && <Result proof={result.proof} noun={noun} />}
      <details className="border-t border-edge px-4 py-2.5">
        <summary className="cursor-pointer text-soft">Verify without this gateway</summary>
        <p className="mt-2 text-soft">
          This page is served by the gateway that signed the {noun}. To verify it independently, download the {noun} and
          run:
        </p>
        <pre className={`mt-2 rounded-lg bg-sunk px-3 py-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere`}>
          {["countersign receipts keys --out keys.json", `countersign receipts verify ${file} --keys keys.json`].join(
            "\n",
          )}
        </pre>
      </details>
    </div>
  );
}

function Result({ proof, noun }: { proof: Proof | null; noun: string }) {
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
      {proof?.isLogged !== true && <Unsequenced isErased={proof === null} noun={noun} />}
    </div>
  );
}

function proven(proof: Proof): string {
  if (proof.left !== null) return "Verified: the remaining facts are in the ledger";
  return proof.isLogged ? "Verified: signed, in the ledger, unchanged" : "Verified: signed, unchanged";
}

function Unsequenced({ isErased, noun }: { isErased: boolean; noun: string }) {
  return (
    <p className="flex gap-2.5 border-t border-edge px-4 py-2.5 text-soft">
      <span className="mt-0.5">
        <Icon name="clock" />
      </span>
      {isErased
        ? "The content was erased, but the ledger does not record it yet. Verify again in a moment."
        : `The ledger does not contain this ${noun} yet. Verify again in a moment.`}
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
