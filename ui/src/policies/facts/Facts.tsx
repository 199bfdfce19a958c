// The facts: what each one says, since when it has a history, and which policies read it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNames } from "../../api/permissions";
import { useNow } from "../../text/now";
import { ago, moment } from "../../text/time";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge, Empty, Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { PolicyLink, Rows } from "../Badges";
import { facts } from "../queries";
import type { FactView } from "../types";
import { DeleteFact } from "./DeleteFact";
import { FactDialog } from "./FactDialog";
import { readWindow, windowMs, windowText } from "./words";

export function Facts() {
  const { data, error } = useQuery(facts);
  const [editing, setEditing] = useState<FactView | "new" | null>(null);
  const [deleting, setDeleting] = useState<FactView | null>(null);
  if (data === undefined) return error === null ? <Loading what="facts" /> : <ProblemCard error={error} />;
  const create = (
    <Button variant="primary" onClick={() => setEditing("new")}>
      New fact
    </Button>
  );
  return (
    <div className="space-y-4">
      {data.length === 0 ? (
        <Empty icon="activity" title="No facts">
          <p>
            A fact is a number, or a yes or no, about past calls: how much was spent in the last hour, or whether the
            checks passed. Policies read it as <code className="font-mono">context.history.name</code>.
          </p>
          <p className="pt-2">{create}</p>
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <p className="min-w-0 flex-1 basis-full md:basis-64 text-soft">
              A fact is a number, or a yes or no, about past calls. Policies read it as{" "}
              <code className="font-mono">context.history.name</code>.
            </p>
            {create}
          </div>
          <Rows name="Facts">
            {data.map((fact) => (
              <Row key={fact.id} fact={fact} onEdit={() => setEditing(fact)} onDelete={() => setDeleting(fact)} />
            ))}
          </Rows>
        </>
      )}
      {editing !== null && (
        <FactDialog
          saved={editing === "new" ? null : editing}
          names={data.map(({ name }) => name)}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting !== null && <DeleteFact fact={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}

/** Whether its window begins before it saw everything, so that it counts too little. */
function seesLess({ complete, within, sees_since }: FactView, now: number): boolean {
  const read = readWindow(within);
  return complete && read !== null && Date.parse(sees_since) > now - windowMs(read);
}

function Row({ fact, onEdit, onDelete }: { fact: FactView; onEdit: () => void; onDelete: () => void }) {
  const now = useNow();
  const nameOf = useNames();
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono font-medium wrap-anywhere">
            <Line text={fact.name} />
          </span>
          {!fact.complete && <Badge tone="warn">filling in progress</Badge>}
          {fact.per === "org" && <Badge>whole organization</Badge>}
        </p>
        <p className="text-soft wrap-anywhere">
          <Line text={fact.words} />
        </p>
        <p className="text-xs text-faint">
          History since <time dateTime={fact.sees_since}>{moment(fact.sees_since)}</time>
          {seesLess(fact, now) && (
            <span className="text-warn">, shorter than the window of {windowText(fact.within)}</span>
          )}
          {" · "}
          {fact.used_by.length === 0 ? (
            "no policy reads it"
          ) : (
            <>
              read by{" "}
              {fact.used_by.map((name, index) => (
                <span key={name}>
                  {index > 0 && ", "}
                  <PolicyLink name={name} />
                </span>
              ))}
            </>
          )}{" "}
          · changed by <Line text={nameOf(fact.set_by)} /> {ago(fact.updated_at, now)}
        </p>
      </div>
      <div className="flex gap-2">
        <Button onClick={onEdit}>
          Edit<span className="sr-only"> {plain(fact.name)}</span>
        </Button>
        <Button variant="bad" onClick={onDelete}>
          Delete<span className="sr-only"> {plain(fact.name)}</span>
        </Button>
      </div>
    </li>
  );
}
