// The signed record of a change and its verification.
import { queries } from "../../api/queries";
import type { ShownFields } from "../../receipt/compare";
import { CHANGE } from "../../receipt/documents";
import type { Proof } from "../../receipt/ledger/ledger";
import { Section } from "../../ui/Section";
import { keys } from "../queries";
import { useVerification, Verification } from "../Verification";
import { type Change, changeBundle } from "./queries";

export function ChangeRecord({ view }: { view: Change }) {
  const state = useVerification({
    id: view.id,
    envelope: view.envelope,
    bundle: () => queries.fetchQuery(changeBundle(view.id)),
    verify: () => look(view),
  });
  return (
    <Section title="Change record">
      <Verification noun={CHANGE.noun} state={state} />
    </Section>
  );
}

async function look(view: Change): Promise<Proof | null> {
  const [published, proven, { verifyAll }] = await Promise.all([
    // Fetched again, not taken from the cache: a key may have been retired meanwhile.
    queries.fetchQuery({ ...keys, staleTime: 0 }),
    queries.fetchQuery(changeBundle(view.id)),
    import("../../receipt/ledger/ledger"),
  ]);
  return verifyAll(view.envelope, proven, published, shown(view), { kind: CHANGE });
}

/** What the page shows, by path in the change record. */
function shown({ id, change, subject, name, by, address, reason, before, after, at }: Change): ShownFields {
  const who = {
    "by.user": by.user,
    "by.method": by.method,
    "by.token": by.token,
    "by.countersigned_by": by.countersigned_by,
  };
  return { id, change, subject, name, ...who, address, reason, before, after, at };
}
