// Filters of the list of changes: what was changed, and by whom.
import { useQuery } from "@tanstack/react-query";
import { members } from "../../people/queries";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Chips, FilterSelect } from "../FilterBar";
import { type ChangeFilters, withChangeFilter } from "./filters";
import { GROUPS } from "./kinds";

interface Props {
  filters: ChangeFilters;
  onChange: (next: ChangeFilters) => void;
}

export function ChangeFilterBar({ filters, onChange }: Props) {
  const people = useQuery(members).data ?? [];
  const { group, user, subject } = filters;
  const set = (name: keyof ChangeFilters) => (value: string) => onChange(withChangeFilter(filters, name, value));
  // A former member is not among the members, and stays selected.
  const former = user === undefined || people.some((each) => each.user === user) ? [] : [user];
  return (
    <div className="shrink-0 space-y-2 border-b border-edge bg-card px-4 py-2.5 md:px-6">
      <div className="grid grid-cols-2 gap-2 md:flex">
        <FilterSelect
          name="Kind of change"
          any="Any change"
          value={group}
          options={GROUPS.map(([id, label]) => [id, label])}
          onChange={set("group")}
        />
        <FilterSelect
          name="Person"
          any="Any person"
          value={user}
          options={[
            ...people.map((each) => [each.user, plain(each.name)] as const),
            ...former.map((each) => [each, plain(each)] as const),
          ]}
          onChange={set("user")}
        />
      </div>
      <Chips
        shown={subject === undefined ? [] : [["subject", <Line key="subject" text={subject} />]]}
        onRemove={(name) => onChange(withChangeFilter(filters, name, ""))}
      />
    </div>
  );
}
