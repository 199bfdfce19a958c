// The choice of what a member may use in a space: everything, or some sources.
import { useQuery } from "@tanstack/react-query";
import { sources } from "../catalog/queries";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Choice } from "../ui/Choice";
import { ACCESS, ACCESS_TEXT, type Access, type Reach, withAccess } from "./reach";

const EXTENTS = [
  ["some", "Selected sources", "Only what is selected below."],
  ["everything", "Everything", "Every source, also those that are connected later."],
] as const;

export function ReachFields({ reach, onChange }: { reach: Reach; onChange: (next: Reach) => void }) {
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1 font-medium">May use</legend>
      <Choice
        name="May use"
        value={reach.isEverything ? "everything" : "some"}
        choices={EXTENTS}
        onChange={(next) => onChange({ ...reach, isEverything: next === "everything" })}
      />
      {!reach.isEverything && <SourceFields reach={reach} onChange={onChange} />}
    </fieldset>
  );
}

function SourceFields({ reach, onChange }: { reach: Reach; onChange: (next: Reach) => void }) {
  const { data, error } = useQuery(sources);
  if (data === undefined) return error === null ? <Loading what="sources" /> : <ProblemCard error={error} />;
  // A source that was disconnected stays listed while somebody may use it.
  const names = [...new Set([...data.items.map(({ source }) => source), ...reach.bySource.keys()])].sort();
  return (
    <>
      <ul aria-label="Sources" className="divide-y divide-edge overflow-hidden rounded-lg border border-strong">
        {names.map((source) => (
          <li key={source}>
            <label className="flex items-center gap-3 px-3 py-1.5">
              <span className="min-w-0 flex-1 font-mono text-[0.8125rem] wrap-anywhere">
                <Line text={source} />
              </span>
              <select
                className="input !w-40 shrink-0"
                value={reach.bySource.get(source) ?? "none"}
                onChange={(event) => onChange(withAccess(reach, source, event.target.value as Access))}
              >
                {ACCESS.map((access) => (
                  <option key={access} value={access}>
                    {ACCESS_TEXT[access]}
                  </option>
                ))}
              </select>
            </label>
          </li>
        ))}
      </ul>
      {reach.other.length > 0 && (
        <p className="text-xs text-faint">
          Not known to this page, and kept:{" "}
          {reach.other.map((each, index) => (
            <code key={index} className="mr-1.5 font-mono">
              <Line text={each} />
            </code>
          ))}
        </p>
      )}
    </>
  );
}
