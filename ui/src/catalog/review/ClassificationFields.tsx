// Risk and retry safety of a tool.
import { RISK } from "../../ui/Bits";
import { EFFECTS } from "../../ui/Mode";
import type { Classification } from "./review";

interface Props {
  /** The tool, for screen readers. */
  of: string;
  classification: Classification;
  why: string;
  onChange: (next: Classification) => void;
}

export function ClassificationFields({ of, classification, why, onChange }: Props) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <label className="flex flex-col gap-1">
        <span className="text-xs font-medium text-faint">
          Risk<span className="sr-only"> of {of}</span>
        </span>
        <select
          className="input"
          value={classification.risk}
          onChange={(event) => onChange({ ...classification, risk: event.target.value })}
        >
          {Object.entries(RISK).map(([risk, about]) => (
            <option key={risk} value={risk}>
              {risk}: {about.split(";")[0]}
            </option>
          ))}
        </select>
        <span className="text-xs text-faint">{why}</span>
      </label>
      <label className="flex flex-col gap-1">
        <span className="text-xs font-medium text-faint">
          Retry safety<span className="sr-only"> of {of}</span>
        </span>
        <select
          className="input"
          value={classification.effect}
          onChange={(event) => onChange({ ...classification, effect: event.target.value })}
        >
          {Object.entries(EFFECTS).map(([effect, about]) => (
            <option key={effect} value={effect}>
              {effect}: {about}
            </option>
          ))}
        </select>
        <span className="text-xs text-faint">What happens after an unknown outcome.</span>
      </label>
    </div>
  );
}
