// The bands of spaces in words.
import type { Tone } from "../ui/Bits";
import type { Band } from "./queries";

export const BANDS: Record<Band, { tone: Tone; says: string; more: string }> = {
  green: { tone: "good", says: "rules and risk decide alone", more: "For work where a mistake is cheap." },
  amber: { tone: "warn", says: "writes ask a person, whatever the rules say", more: "From R2 on nothing happens without a yes; no rule or grant lifts that." },
  red: { tone: "bad", says: "writes ask a person, and what is hard to undo is denied", more: "R2 asks, R3 and R4 are denied; no rule or grant lifts that." },
  black: { tone: "plain", says: "agents compute and read only", more: "From R2 on everything is denied; no rule or grant lifts that." },
};

export const BAND_NAMES = Object.keys(BANDS) as Band[];
