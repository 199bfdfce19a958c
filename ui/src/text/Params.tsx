// Parameters as a table, with warnings about invisible characters, padding and look-alike letters.
import { useMemo, useState } from "react";
import { Badge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { Fact, Facts, Section } from "../ui/Section";
import { MOST_ROWS, rows, type ValueRow } from "./rows";
import { Block, Line } from "./Visible";
import { block } from "./visible";

/** Fewer repeated characters are just a ruled line or indentation. */
const WORTH_A_WARNING = 400;

interface ParamsProps {
  params: unknown;
  title?: string;
  /** JSON pointers of values that were hidden and are now revealed. */
  revealed?: ReadonlySet<string> | undefined;
}

export function Params({ params, title = "Parameters", revealed }: ParamsProps) {
  const [isAll, setAll] = useState(false);
  const all = useMemo(() => rows(params, revealed), [params, revealed]);
  const shown = isAll ? all : all.filter((row, at) => at < MOST_ROWS || row.isRevealed);
  if (all.every(isNothing)) {
    return (
      <Section title={title}>
        <p className="text-soft">None</p>
      </Section>
    );
  }
  return (
    <Section title={title}>
      <Warnings rows={all} />
      <Facts>
        {shown.map((row) => (
          <Fact key={row.path} name={<ParamName row={row} />} tone={row.isRevealed ? "bg-warn-wash" : ""}>
            <Value row={row} />
          </Fact>
        ))}
      </Facts>
      {all.length > shown.length && (
        <button type="button" className="mark cursor-pointer underline" onClick={() => setAll(true)}>
          {all.length - shown.length} more values are hidden here: show them
        </button>
      )}
    </Section>
  );
}

/** No parameters at all. A text in their place is shown. */
function isNothing({ path, type, value, isRevealed }: ValueRow): boolean {
  return path === "" && isRevealed !== true && (type === "empty" || (type === "word" && value === "null"));
}

function ParamName({ row }: { row: ValueRow }) {
  return (
    <>
      {row.path === "" ? (
        "Value"
      ) : (
        <code className="font-mono text-[0.8125rem]">
          <Line text={row.path} />
        </code>
      )}
      {row.isRevealed && (
        <>
          {" "}
          <Badge tone="warn">revealed</Badge>
        </>
      )}
    </>
  );
}

export function AnyValue({ value }: { value: unknown }) {
  const parts = rows(value);
  return parts.map((row) => (
    <div key={row.path}>
      {row.path !== "" && (
        <code className="mr-2 font-mono text-[0.8125rem] text-faint">
          <Line text={row.path} />
        </code>
      )}
      <Value row={row} />
    </div>
  ));
}

export function Value({ row }: { row: Omit<ValueRow, "path"> }) {
  if (row.type === "text") return <Block text={row.value} quoted />;
  return (
    <code className={`font-mono text-[0.8125rem] ${row.type === "number" ? "text-accent" : "text-soft"}`}>
      <Line text={row.value} />
    </code>
  );
}

export function Warnings({ rows: all }: { rows: ValueRow[] }) {
  const shownWarnings = useMemo(() => warnings(all), [all]);
  if (shownWarnings.length === 0) return null;
  return (
    <div role="alert" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <ul className="space-y-1">
        {shownWarnings.map((text) => (
          <li key={text} className="flex gap-2">
            <Icon name="warning" className="mt-0.5 size-4" />
            <span>
              <Line text={text} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function warnings(all: ValueRow[]): string[] {
  let [hidden, padding] = [0, 0];
  const mixed = new Set<string>();
  for (const row of all) {
    for (const shown of [block(row.path), block(row.type === "text" ? row.value : "")]) {
      hidden += shown.hidden;
      padding += shown.padding;
      shown.mixed.forEach((word) => mixed.add(word));
    }
  }
  const out: string[] = [];
  if (hidden > 0)
    out.push(`${hidden} invisible ${hidden === 1 ? "character is" : "characters are"} written as \\u{…}.`);
  if (padding >= WORTH_A_WARNING) out.push(`${padding} repeated characters are shown as a count, such as ⟨41 blanks⟩.`);
  if (mixed.size > 0)
    out.push(`Look-alike letters from different scripts are mixed in: ${[...mixed].slice(0, 5).join(", ")}`);
  return out;
}
