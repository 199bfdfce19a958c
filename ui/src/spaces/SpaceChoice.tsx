// The choice of the space of a new automation.
import type { Space } from "../settings/queries";
import { plain } from "../text/visible";

interface Props {
  /** Those in which the person can open sessions. */
  spaces: readonly Space[];
  space: string | undefined;
  onSpace: (space: string) => void;
}

/** Only with more than one space. */
export function SpaceChoice({ spaces, space, onSpace }: Props) {
  if (spaces.length < 2) return null;
  return (
    <label className="flex max-w-sm flex-col gap-1">
      <span className="text-xs font-medium text-faint">Space (cannot be changed later)</span>
      <select className="input" value={space} onChange={(event) => onSpace(event.target.value)}>
        {spaces.map((each) => (
          <option key={each.id} value={each.id}>
            {plain(each.name)} ({each.risk_band})
          </option>
        ))}
      </select>
    </label>
  );
}
