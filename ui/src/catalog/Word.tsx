// The two things a review says of a tool: how much can go wrong, and whether a repeat is harmless.
import { RISK } from "../ui/Bits";
import { EFFECTS } from "../ui/Mode";
import type { Word } from "./review";

interface Props {
  /** Whose word it is, for those who do not see where the fields stand. */
  of: string;
  word: Word;
  why: string;
  onChange: (next: Word) => void;
}

export function WordFields({ of, word, why, onChange }: Props) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <label className="flex flex-col gap-1">
        <span className="text-xs font-medium text-faint">risk<span className="sr-only"> of {of}</span></span>
        <select className="input" value={word.risk} onChange={(event) => onChange({ ...word, risk: event.target.value })}>
          {Object.entries(RISK).map(([risk, about]) => <option key={risk} value={risk}>{risk}: {about.split(";")[0]}</option>)}
        </select>
        <span className="text-xs text-faint">{why}</span>
      </label>
      <label className="flex flex-col gap-1">
        <span className="text-xs font-medium text-faint">repeats<span className="sr-only"> of {of}</span></span>
        <select className="input" value={word.effect} onChange={(event) => onChange({ ...word, effect: event.target.value })}>
          {Object.entries(EFFECTS).map(([effect, about]) => <option key={effect} value={effect}>{effect}: {about}</option>)}
        </select>
        <span className="text-xs text-faint">when a call may have been sent and no answer came</span>
      </label>
    </div>
  );
}
