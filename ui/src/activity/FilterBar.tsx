// Filters of the activity page. On a phone only the search is visible; the rest opens in a dialog.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { agents } from "../agents/queries";
import { spaces } from "../settings/queries";
import { moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { RISK } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { type Filters, RANGES, STATES, where, withFilter } from "./filters";
import { sources } from "./queries";

interface Props {
  filters: Filters;
  onChange: (next: Filters) => void;
}

export function FilterBar({ filters, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(filters).filter((name) => name !== "q").length;
  return (
    <div className="space-y-2 border-b border-edge bg-card px-4 py-2.5 md:px-6">
      <div className="flex flex-wrap gap-2">
        <Search text={filters.q ?? ""} onSearch={(q) => onChange(withFilter(filters, "q", q))} />
        <div className="hidden flex-wrap gap-2 md:flex">
          <Selects filters={filters} onChange={onChange} />
        </div>
        <Button className="md:hidden" onClick={() => setOpen(true)}>
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <OtherFilters filters={filters} onChange={onChange} />
      <Dialog title="Filters" isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="space-y-3">
          <Selects filters={filters} onChange={onChange} />
          <Button variant="primary" className="w-full" onClick={() => setOpen(false)}>
            {" "}
            Apply{" "}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

function Search({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  // Searches after a pause in typing; Enter searches immediately.
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const timer = setTimeout(() => onSearch(typed.trim()), 400);
    return () => clearTimeout(timer);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <form role="search" onSubmit={submit} className="relative min-w-0 flex-1 md:min-w-52">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-faint">
        <Icon name="search" />
      </span>
      <input
        type="search"
        className="input !pl-8"
        aria-label="Search"
        placeholder="Search by word or ID"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}

function Selects({ filters, onChange }: Props) {
  const known = useQuery(spaces).data ?? [];
  const set = (name: keyof Filters) => (value: string) => onChange(withFilter(filters, name, value));
  const setRange = (range: string) => {
    const { since: _, until: __, ...rest } = filters;
    onChange(withFilter(rest, "range", range));
  };
  const others =
    filters.status !== undefined && !STATES.some(([id]) => id === filters.status)
      ? [[filters.status, filters.status.replaceAll(",", ", ")] as [string, string]]
      : [];
  return (
    <>
      <FilterSelect
        name="Status"
        any="Any status"
        value={filters.status}
        options={[...STATES, ...others]}
        onChange={set("status")}
      />
      <FilterSelect
        name="Risk"
        any="Any risk"
        value={filters.risk}
        options={Object.entries(RISK).map(([id, label]) => [id, `${id}: ${label}`])}
        onChange={set("risk")}
      />
      <SpaceAndTime filters={filters} onChange={onChange} />
      <AgentFilter value={filters.agent} onChange={set("agent")} />
      {known.length > 1 && (
        <FilterSelect
          name="Space"
          any="All spaces"
          value={filters.space}
          options={known.map((space) => [space.slug, plain(space.name)])}
          onChange={set("space")}
        />
      )}
      <FilterSelect
        name="Time"
        any="Any time"
        value={filters.since === undefined && filters.until === undefined ? filters.range : undefined}
        options={RANGES.map(([id, label]) => [id, label])}
        onChange={setRange}
      />
    </>
  );
}

export function FilterSelect({
  name,
  any,
  value,
  options,
  onChange,
}: {
  name: string;
  any: string;
  value: string | undefined;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      aria-label={name}
      className={`input md:!w-auto md:max-w-36 ${value === undefined ? "" : "!border-accent"}`}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{any}</option>
      {options.map(([id, label]) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Agents of the last 30 days, and the one that a link names. */
function AgentFilter({ value, onChange }: { value: string | undefined; onChange: (value: string) => void }) {
  const names = useQuery(agents).data?.map((each) => each.agent) ?? [];
  const all = value === undefined || names.includes(value) ? names : [...names, value];
  return (
    <FilterSelect
      name="Agent"
      any="Any agent"
      value={value}
      options={all.map((name) => [name, plain(name)])}
      onChange={onChange}
    />
  );
}

/** A source or a full action name. */
function SpaceAndTime({ filters, onChange }: Props) {
  const known = useQuery(sources).data?.items;
  const now = filters.action ?? filters.source ?? "";
  const [typed, setTyped] = useState(now);
  useEffect(() => setTyped(now), [now]);
  const take = (text: string) => {
    const { source: _, action: __, ...rest } = filters;
    if (text.trim() !== now) onChange({ ...rest, ...where(text) });
  };
  return (
    <>
      <input
        className={`input md:!w-40 ${now === "" ? "" : "!border-accent"}`}
        aria-label="Source or action"
        placeholder="Source or action"
        list="sources"
        value={typed}
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value);
          if (known?.some((each) => each.source === event.target.value)) take(event.target.value);
        }}
        onBlur={() => take(typed)}
        onKeyDown={(event) => event.key === "Enter" && take(typed)}
      />
      <datalist id="sources">
        {known?.map((each) => (
          <option key={each.source} value={each.source} />
        ))}
      </datalist>
    </>
  );
}

/** Filters without a field of their own. */
function OtherFilters({ filters, onChange }: Props) {
  const shown: [keyof Filters, ReactNode][] = [];
  if (filters.session !== undefined)
    shown.push([
      "session",
      <>
        session <Line text={filters.session} />
      </>,
    ]);
  if (filters.run !== undefined)
    shown.push([
      "run",
      <>
        run <Line text={filters.run} />
      </>,
    ]);
  if (filters.since !== undefined) shown.push(["since", `from ${momentText(filters.since)}`]);
  if (filters.until !== undefined) shown.push(["until", `until ${momentText(filters.until)}`]);
  return <Chips shown={shown} onRemove={(name) => onChange(withFilter(filters, name, ""))} />;
}

/** Filters in words, each with a button to remove it. */
export function Chips<N extends string>({
  shown,
  onRemove,
}: {
  shown: readonly (readonly [N, ReactNode])[];
  onRemove: (name: N) => void;
}) {
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-1.5">
      {shown.map(([name, text]) => (
        <li
          key={name}
          className="flex items-center gap-1 rounded-full bg-accent-wash py-0.5 pr-1 pl-2.5 text-xs text-accent"
        >
          <span className="max-w-72 truncate">{text}</span>
          <button
            type="button"
            aria-label={`Remove filter: ${name}`}
            className="rounded-full p-1 hover:bg-card"
            onClick={() => onRemove(name)}
          >
            <Icon name="close" className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function momentText(at: string): string {
  return Number.isNaN(Date.parse(at)) ? plain(at) : moment(at);
}
