// The state before and after a change side by side, with every difference marked. On a phone one below the other.
import { useMemo, useState } from "react";
import { Value, Warnings } from "../../text/Params";
import { MOST_ROWS, rows, type ValueRow } from "../../text/rows";
import { Line } from "../../text/Visible";
import { Badge, type Tone } from "../../ui/Bits";
import { Section } from "../../ui/Section";
import { type StateRow, stateRows } from "./state";

/** A longer state begins with its differences only. */
const SHORT = 30;
const TONES: Record<StateRow["mark"], Tone> = { added: "good", removed: "bad", changed: "warn", unchanged: "plain" };

export function BeforeAfter({ before, after }: { before: unknown; after: unknown }) {
  const all = useMemo(() => stateRows(before, after), [before, after]);
  const values = useMemo(() => [before, after].flatMap((state) => (state == null ? [] : rows(state))), [before, after]);
  const differences = all.filter((row) => row.mark !== "unchanged");
  const [isAll, setAll] = useState(all.length <= SHORT);
  const [isLong, setLong] = useState(false);
  const chosen = isAll ? all : differences;
  const shown = isLong ? chosen : chosen.slice(0, MOST_ROWS);
  const same = all.length - differences.length;
  if (all.length === 0)
    return (
      <Section title="Before and after">
        <p className="text-soft">No state was recorded.</p>
      </Section>
    );
  return (
    <Section title="Before and after">
      <Warnings rows={values} />
      <StateTable rows={shown} />
      {chosen.length > shown.length && (
        <button type="button" className="mark cursor-pointer underline" onClick={() => setLong(true)}>
          {chosen.length - shown.length} more values are hidden here: show them
        </button>
      )}
      {same > 0 && differences.length > 0 && (
        <button type="button" className="text-xs text-accent underline" onClick={() => setAll(!isAll)}>
          {isAll ? "Show differences only" : `Show ${same} unchanged ${same === 1 ? "field" : "fields"}`}
        </button>
      )}
    </Section>
  );
}

function StateTable({ rows }: { rows: StateRow[] }) {
  return (
    <div className="overflow-hidden rounded-xl border border-edge bg-card">
      <table
        aria-label="Before and after"
        className="w-full table-fixed border-collapse text-left max-md:block [&_tr]:border-b [&_tr]:border-edge"
      >
        <thead className="max-md:sr-only">
          <tr className="bg-sunk text-xs text-faint [&>th]:px-3 [&>th]:py-1.5 [&>th]:font-semibold">
            <th scope="col" className="w-48">
              Field
            </th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody className="max-md:block [&>tr:last-child]:border-0">
          {rows.map((row) => (
            <FieldRow key={row.path} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FieldRow({ row: { path, before, after, mark } }: { row: StateRow }) {
  const isSame = mark === "unchanged";
  return (
    <tr className="align-top max-md:block max-md:py-2">
      <th scope="row" className="px-3 py-2 font-normal wrap-anywhere text-faint max-md:block max-md:py-1">
        {path === "" ? (
          "Value"
        ) : (
          <code className="font-mono text-[0.8125rem]">
            <Line text={path} />
          </code>
        )}{" "}
        {!isSame && <Badge tone={TONES[mark]}>{mark}</Badge>}
      </th>
      {/* On a phone a value that stayed the same is shown once. */}
      <Side name={isSame ? "" : "Before"} row={before} tone={isSame ? "max-md:hidden" : "bg-bad-wash"} />
      <Side name={isSame ? "" : "After"} row={after} tone={isSame ? "" : "bg-good-wash"} />
    </tr>
  );
}

/** The name is only for phones, which have no columns. */
function Side({ name, row, tone }: { name: string; row: ValueRow | null; tone: string }) {
  return (
    <td className={`px-3 py-2 wrap-anywhere max-md:block max-md:py-1 ${row === null ? "" : tone}`}>
      {name !== "" && <span className="mr-2 text-xs text-faint md:hidden">{name}</span>}
      {row === null ? <span className="text-faint">none</span> : <Value row={row} />}
    </td>
  );
}
