// The receipt of an invocation and its verification in the browser. It can be downloaded and verified elsewhere.
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries";
import { type Fields, fields, list } from "../automations/definition";
import { passkeysOf } from "../passkeys/queries";
import type { ShownFields } from "../receipt/compare";
import type { Proof } from "../receipt/ledger/ledger";
import { Loading, ProblemCard } from "../ui/Bits";
import { Section } from "../ui/Section";
import { ErasedReceipt } from "./ErasedReceipt";
import { bundle, type Invocation, keys, type Receipt as ReceiptData, receipt, receiptsOf } from "./queries";
import { ReceiptVotes } from "./ReceiptVotes";
import { useVerification, Verification } from "./Verification";
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
  return (
    <Section title={title}>
      {data !== undefined ? (
        <LoadedReceipt data={data} view={view} />
      ) : error === null ? (
        <Loading what="the receipt" />
      ) : (
        <ProblemCard error={error} />
      )}
    </Section>
  );
}

function LoadedReceipt({ data, view }: { data: ReceiptData; view: Invocation | null }) {
  const { id, envelope } = data;
  const state = useVerification({
    id,
    envelope,
    bundle: () => queries.fetchQuery(bundle(id)),
    verify: () => look(data, view),
  });
  const proof = state.result?.proof ?? null;
  return (
    <>
      <Verification noun="receipt" state={state}>
        <ReceiptVotes receipt={data} proof={proof} />
      </Verification>
      {(envelope == null || proof?.left != null) && <ErasedReceipt receipt={data} proven={proof?.left ?? null} />}
    </>
  );
}

async function look(data: ReceiptData, view: Invocation | null): Promise<Proof | null> {
  // Fetched again, not taken from the cache: a key may have been retired or a body erased meanwhile.
  const signers = votesOf(data)
    .filter((vote) => vote.isSigned)
    .map((vote) => queries.fetchQuery({ ...passkeysOf(vote.user), staleTime: 0 }));
  const [published, proven, { verifyAll }, passkeys] = await Promise.all([
    queries.fetchQuery({ ...keys, staleTime: 0 }),
    queries.fetchQuery(bundle(data.id)),
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
  const all = { ...(view === null ? {} : shown(view)), ...around };
  return verifyAll(data.envelope, proven, published, all, { passkeys: passkeys.flat() });
}

/** Policies, facts and the flow, as far as the decision has them, with the fields that a receipt has. */
function signedParts({ policies, facts, flow }: Fields): Fields {
  const policy = ({ name, version, mode, observing, error }: Fields) => ({
    name,
    version,
    mode,
    observing: observing ?? false,
    error: error ?? null,
  });
  const fact = ({ name, value, adds, limit }: Fields) => ({ name, value, adds: adds ?? null, limit: limit ?? null });
  return {
    ...(list(policies).length > 0 && { policies: list(policies).map((each) => policy(fields(each))) }),
    ...(list(facts).length > 0 && { facts: list(facts).map((each) => fact(fields(each))) }),
    ...(flow != null && { flow: signedFlow(flow) }),
  };
}

/** The fields of a flow that a receipt has. The API leaves out what is false or empty. */
function signedFlow(flow: unknown): Fields {
  const { mode, why, observing, consented, audience, chosen_by, untrusted, private: notPublic } = fields(flow);
  return {
    mode,
    why: why ?? "",
    observing: observing ?? false,
    consented: consented ?? false,
    audience,
    chosen_by,
    untrusted: untrusted ?? [],
    private: notPublic ?? [],
  };
}

/** What the page shows, by path in the receipt. */
function shown(view: Invocation): ShownFields {
  const { mode, mode_source, reason, guardrails, gates } = view.decision as Record<string, unknown>;
  return {
    agent: view.agent,
    risk: view.risk,
    dry_run: view.dry_run,
    attempts: view.attempts,
    // The invocation and its receipts are erased one after the other.
    ...(view.erased_at == null && { inputs: view.params, outputs: view.result }),
    error: view.error,
    // The receipt's field holds the digest of the subject.
    shown_digest: view.subject_digest,
    "timing.requested_at": view.requested_at,
    decision: { mode, mode_source, reason, guardrails, gates, ...signedParts(view.decision as Fields) },
  };
}
