// The matrix: the decision for every action in a space.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { automations } from "../api/queries";
import type { Mode } from "../catalog/queries";
import { useChooseSpace } from "../frame/Switches";
import { useSpace } from "../frame/space";
import { dependsOf } from "../policies/explain/decision";
import { listed } from "../policies/words";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge, Empty, Loading, ProblemCard, RiskBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { INK, MODES } from "../ui/Mode";
import { BANDS } from "./bands";
import { CellDialog } from "./CellDialog";
import { type Matrix, type MatrixRow, matrix, spaces } from "./queries";

const WASH: Record<string, string> = {
  allow: "border-good/30 bg-good-wash hover:border-good",
  require_approval: "border-warn/30 bg-warn-wash hover:border-warn",
  deny: "border-bad/30 bg-bad-wash hover:border-bad",
};

export function MatrixPart() {
  const space = useSpace() ?? "";
  const setSpace = useChooseSpace();
  const [automation, setAutomation] = useState("");
  const [text, setText] = useState("");
  const [only, setOnly] = useState<Mode | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const searchText = useDeferredValue(text).trim().toLowerCase();
  const { data, error } = useQuery(matrix(space, automation));
  if (data === undefined) return error === null ? <Loading what="the matrix" /> : <ProblemCard error={error} />;
  const shown = data.rows.filter(
    (row) => (only === null || row.mode === only) && row.action.toLowerCase().includes(searchText),
  );
  const row = data.rows.find((each) => each.action === opened);
  return (
    <div className="space-y-4">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[minmax(0,1fr)_13rem_13rem]">
        <label className="max-sm:col-span-2">
          <span className="sr-only">Search the matrix</span>
          <input
            className="input"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="Search by source or action"
          />
        </label>
        <SpaceSelect value={data.space} onChange={setSpace} />
        <AutomationSelect value={automation} onChange={setAutomation} />
      </div>
      <p className="text-soft">
        <BandText data={data} />
      </p>
      <Counts rows={data.rows} only={only} onOnly={setOnly} />
      {shown.length === 0 ? (
        <Empty icon="search" title="No actions found">
          <p>No action matches the search and filter.</p>
        </Empty>
      ) : (
        <Groups rows={shown} onOpen={(each) => setOpened(each.action)} />
      )}
      {row !== undefined && (
        <CellDialog
          row={row}
          data={data}
          automation={automation === "" ? null : automation}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

function BandText({ data }: { data: Matrix }) {
  const band = BANDS[data.band];
  return (
    <>
      Space{" "}
      <span className="font-medium text-ink">
        <Line text={data.space} />
      </span>{" "}
      is <Badge tone={band.tone}>{data.band}</Badge>: {band.summary}.
    </>
  );
}

function SpaceSelect({ value, onChange }: { value: string; onChange: (next: string) => void }) {
  const all = useQuery(spaces).data?.items ?? [];
  return (
    <label>
      <span className="sr-only">Space</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {all.map((each) => (
          <option key={each.id} value={each.slug}>
            {plain(each.name)} ({each.risk_band})
          </option>
        ))}
      </select>
    </label>
  );
}

function AutomationSelect({ value, onChange }: { value: string; onChange: (next: string) => void }) {
  const all = useInfiniteQuery(automations).data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <label>
      <span className="sr-only">Automation</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Agent sessions</option>
        {all.map((each) => (
          <option key={each.id} value={each.id}>
            Runs of {plain(each.name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Counts({ rows, only, onOnly }: { rows: MatrixRow[]; only: Mode | null; onOnly: (next: Mode | null) => void }) {
  return (
    <div role="group" aria-label="Filter by decision" className="flex flex-wrap gap-2">
      {(Object.keys(MODES) as Mode[]).map((mode) => (
        <button
          key={mode}
          type="button"
          aria-pressed={only === mode}
          onClick={() => onOnly(only === mode ? null : mode)}
          className={`inline-flex min-h-11 items-center gap-1.5 rounded-lg border px-3 md:min-h-8
            ${only === mode ? "border-accent bg-accent-wash" : "border-edge bg-card hover:border-strong"}`}
        >
          <Icon name={MODES[mode]?.icon ?? "clock"} className={`size-3.5 ${INK[mode]}`} />
          {MODES[mode]?.label}{" "}
          <span className="font-semibold tabular-nums">{rows.filter((row) => row.mode === mode).length}</span>
        </button>
      ))}
    </div>
  );
}

function Groups({ rows, onOpen }: { rows: MatrixRow[]; onOpen: (row: MatrixRow) => void }) {
  const groups = useMemo(() => {
    const found = new Map<string, MatrixRow[]>();
    for (const row of rows) found.set(row.source, [...(found.get(row.source) ?? []), row]);
    return found;
  }, [rows]);
  return (
    <div className="space-y-5">
      {[...groups].map(([source, each]) => (
        <section
          key={source}
          aria-label={plain(source)}
          className="space-y-2 [contain-intrinsic-size:auto_10rem] [content-visibility:auto]"
        >
          <h2 className="flex items-baseline gap-2 font-semibold">
            <Line text={source} />{" "}
            <span className="text-xs font-normal text-faint">
              {each.length} {each.length === 1 ? "action" : "actions"}
            </span>
          </h2>
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {each.map((row) => (
              <li key={row.action}>
                <Cell row={row} onOpen={() => onOpen(row)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const FROM: Record<string, string> = {
  automation_rule: "automation rule",
  org_rule: "rule",
  inferred: "default for its risk",
  grant: "grant",
};

function Cell({ row, onOpen }: { row: MatrixRow; onOpen: () => void }) {
  const mode = MODES[row.mode];
  const from =
    row.guardrails.length > 0 ? `guardrail: ${row.guardrails.join(", ")}` : (FROM[row.mode_source] ?? row.mode_source);
  const depends = dependsOf(row);
  return (
    <button
      type="button"
      onClick={onOpen}
      className={`flex w-full items-center gap-2.5 rounded-lg border px-3 py-2 text-left ${WASH[row.mode]}`}
    >
      <Icon name={mode?.icon ?? "clock"} className={`size-4 ${INK[row.mode]}`} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          <Line text={row.action.slice(row.source.length + 1)} />
        </span>
        <span className={`block truncate text-xs ${INK[row.mode]}`}>
          {mode?.label} · {from}
        </span>
        {depends.length > 0 && (
          <span className="block truncate text-xs text-soft" title={plain(listed(depends))}>
            depends on the parameters
          </span>
        )}
      </span>
      <RiskBadge risk={row.risk} />
    </button>
  );
}
