// The consents of people to purposes. Who agreed is stored as a hash, so it can be searched for and not shown.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useNames } from "../../api/permissions";
import { moment } from "../../text/time";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge, Loading, ProblemCard, type Tone } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Form";
import { Rows } from "../Badges";
import { GiveDialog, RevokeDialog } from "./ConsentDialogs";
import { type Consent, type ConsentFilter, consents, gates } from "./queries";

const ANY: ConsentFilter = { purpose: "", subject: "" };

export function Consents() {
  const [filter, setFilter] = useState(ANY);
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(consents(filter));
  const [isGiving, setGiving] = useState(false);
  const [revoking, setRevoking] = useState<Consent | null>(null);
  const required = useQuery(gates).data?.purposes.map(({ purpose }) => purpose) ?? [];
  const purposes = [...new Set(required)];
  const all = data?.pages.flatMap((page) => page.items);
  return (
    <section aria-label="Consents" className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="font-semibold">Consents</h2>
          <p className="text-soft">Who agreed is stored as a hash and not shown. Search for a subject to find it.</p>
        </div>
        <Button onClick={() => setGiving(true)}>Give consent</Button>
      </div>
      <FilterForm purposes={purposes} onFilter={setFilter} />
      {all === undefined && (error === null ? <Loading what="consents" /> : <ProblemCard error={error} />)}
      {all?.length === 0 && (
        <p className="rounded-xl border border-dashed border-strong px-5 py-8 text-center text-soft">
          {filter.purpose === "" && filter.subject === "" ? "No consents." : "No consent matches the filter."}
        </p>
      )}
      {all !== undefined && all.length > 0 && (
        <Rows name="Consents">
          {all.map((consent) => (
            <Row key={consent.id} consent={consent} onRevoke={() => setRevoking(consent)} />
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <p className="text-center">
          <Button onClick={() => void fetchNextPage()}>Show more</Button>
        </p>
      )}
      {isGiving && <GiveDialog purposes={purposes} onClose={() => setGiving(false)} />}
      {revoking !== null && <RevokeDialog consent={revoking} onClose={() => setRevoking(null)} />}
    </section>
  );
}

interface FilterProps {
  purposes: readonly string[];
  onFilter: (next: ConsentFilter) => void;
}

/** The filter applies when it is sent, because only exact values match. */
function FilterForm({ purposes, onFilter }: FilterProps) {
  const id = useId();
  const [typed, setTyped] = useState(ANY);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFilter({ purpose: typed.purpose.trim(), subject: typed.subject.trim() });
  };
  return (
    <form aria-label="Filter consents" onSubmit={submit} className="grid items-end gap-3 md:grid-cols-[1fr_1fr_auto]">
      <Field name="Purpose">
        <input
          className="input"
          list={id}
          value={typed.purpose}
          spellCheck={false}
          onChange={(event) => setTyped({ ...typed, purpose: event.target.value })}
        />
      </Field>
      <Field name="Subject">
        <input
          className="input"
          value={typed.subject}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, subject: event.target.value })}
        />
      </Field>
      <datalist id={id}>
        {purposes.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Button type="submit">Filter</Button>
    </form>
  );
}

const TONES: Record<string, Tone> = { active: "good", expired: "plain", revoked: "warn" };

function Row({ consent, onRevoke }: { consent: Consent; onRevoke: () => void }) {
  const nameOf = useNames();
  const { purpose, state, note, given_by, given_by_name, created_at } = consent;
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono font-medium wrap-anywhere">
            <Line text={purpose} />
          </span>
          <Badge tone={TONES[state] ?? "plain"}>{state}</Badge>
        </p>
        {note !== "" && (
          <p className="text-soft wrap-anywhere">
            <Line text={note} />
          </p>
        )}
        <p className="text-xs text-faint">
          Given by <Line text={given_by_name ?? nameOf(given_by)} />,{" "}
          <time dateTime={created_at}>{moment(created_at)}</time>
          {" · "}
          <End consent={consent} />
        </p>
      </div>
      {state === "active" && (
        <Button variant="bad" onClick={onRevoke}>
          Revoke<span className="sr-only"> the consent to {plain(purpose)}</span>
        </Button>
      )}
    </li>
  );
}

function End({ consent: { expires_at, revoked_at } }: { consent: Consent }) {
  const end = revoked_at ?? expires_at;
  if (end == null) return "until it is revoked";
  return (
    <>
      {revoked_at == null ? "until" : "revoked"} <time dateTime={end}>{moment(end)}</time>
    </>
  );
}
