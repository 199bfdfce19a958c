// A tool as it was accepted beside its current form. Unchanged fields are hidden.
import { memo, useMemo, useState } from "react";
import { useNames } from "../../api/permissions";
import { useNow } from "../../text/now";
import { Warnings } from "../../text/Params";
import { rows as valueRows } from "../../text/rows";
import { ago } from "../../text/time";
import { Block, Line } from "../../text/Visible";
import type { Tool } from "../queries";
import { type Cell, cut, type DriftRow, driftCount, driftRows, placeText } from "./drift";

export const Drift = memo(function Drift({ tool }: { tool: Tool }) {
  const [isAll, setAll] = useState(false);
  const nameOf = useNames();
  const now = useNow();
  const all = useMemo(() => driftRows(tool.reviewed, tool.seen, tool.changes), [tool]);
  const { shape, texts } = driftCount(all);
  const shown = isAll ? all : all.filter((row) => row.change !== "none");
  const same = all.length - shape - texts;
  return (
    <div className="space-y-2">
      <p className="text-soft">
        {driftText(shape, texts)}
        {tool.reviewed_at != null && (
          <>
            {" "}
            Accepted by <Line text={nameOf(tool.reviewed_by ?? "")} /> {ago(tool.reviewed_at, now)}.
          </>
        )}
      </p>
      <Warnings rows={valueRows(tool.seen)} />
      <div
        role="table"
        aria-label="Accepted and current"
        className="overflow-hidden rounded-xl border border-edge bg-card"
      >
        <div
          role="row"
          className="hidden grid-cols-2 border-b border-edge bg-sunk text-xs font-semibold text-faint md:grid"
        >
          <span role="columnheader" className="px-3 py-1.5">
            Accepted
          </span>
          <span role="columnheader" className="border-l border-edge px-3 py-1.5">
            Current
          </span>
        </div>
        {shown.map((row) => (
          <Row key={row.place} row={row} />
        ))}
      </div>
      {same > 0 && (
        <button type="button" className="text-xs text-accent underline" onClick={() => setAll(!isAll)}>
          {isAll ? "Show changes only" : `Show ${same} unchanged ${same === 1 ? "field" : "fields"}`}
        </button>
      )}
    </div>
  );
});

function driftText(shape: number, texts: number): string {
  const places = (count: number) => `${count} ${count === 1 ? "field" : "fields"}`;
  if (shape === 0)
    return `Only texts changed, in ${places(texts)}. Models read these texts, so a change can mislead them.`;
  const where = texts > 0 ? `${places(shape)} and texts in ${places(texts)}` : places(shape);
  return `The schema changed in ${where}. Every call needs approval until you review it.`;
}

function Row({ row }: { row: DriftRow }) {
  const { before, after } = row;
  const parts =
    before?.type === "text" && after?.type === "text" && row.change !== "none" ? cut(before.value, after.value) : null;
  const tag = row.change === "shape" ? "text-bad" : row.change === "words" ? "text-warn" : "text-faint";
  return (
    <div role="row" className="border-b border-edge last:border-b-0">
      <div role="rowheader" className="flex items-baseline justify-between gap-3 px-3 pt-2 text-xs">
        <code className="font-mono wrap-anywhere text-faint">
          <Line text={placeText(row.place)} />
        </code>
        <span className={`whitespace-nowrap ${tag}`}>
          {row.change === "none" ? "unchanged" : row.change === "shape" ? "schema" : "text"}
        </span>
      </div>
      <div className="grid md:grid-cols-2">
        <Side
          cell={before}
          middle={parts?.before ?? null}
          sign="−"
          isChanged={row.change !== "none"}
          tone="bg-bad-wash"
        />
        <Side
          cell={after}
          middle={parts?.after ?? null}
          sign="+"
          isChanged={row.change !== "none"}
          tone="bg-good-wash"
        />
      </div>
    </div>
  );
}

interface SideProps {
  cell: Cell | null;
  middle: { head: string; middle: string; tail: string } | null;
  sign: string;
  isChanged: boolean;
  tone: string;
}

function Side({ cell, middle, sign, isChanged, tone }: SideProps) {
  const isLeft = sign === "−";
  return (
    <div
      role="cell"
      className={`flex min-w-0 gap-2 px-3 py-2 ${isLeft ? "" : "md:border-l md:border-edge"}
        ${isLeft && !isChanged ? "max-md:hidden" : ""}`}
    >
      {isChanged && (
        <span role="img" className="font-mono text-faint select-none" aria-label={isLeft ? "before" : "after"}>
          {sign}
        </span>
      )}
      <div className="min-w-0">
        {cell === null && <span className="text-faint">none</span>}
        {cell !== null && middle === null && (
          <span className={isChanged ? `rounded px-1 ${tone}` : ""}>
            {cell.type === "text" ? (
              <Block text={cell.value} quoted />
            ) : (
              <code className="font-mono text-[0.8125rem]">
                <Line text={cell.value} />
              </code>
            )}
          </span>
        )}
        {middle !== null && (
          <>
            <Block text={middle.head} />
            {middle.middle !== "" && (
              <span className={`rounded px-0.5 ${tone}`}>
                <Block text={middle.middle} />
              </span>
            )}
            <Block text={middle.tail} />
          </>
        )}
      </div>
    </div>
  );
}
