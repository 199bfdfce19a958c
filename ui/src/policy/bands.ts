// Descriptions of the bands.
import type { Tone } from "../ui/Bits";
import type { Band } from "./queries";

export const BANDS: Record<Band, { tone: Tone; summary: string; details: string }> = {
  green: {
    tone: "good",
    summary: "rules and the risk of an action decide",
    details: "For work where mistakes are easy to correct.",
  },
  amber: {
    tone: "warn",
    summary: "every write needs approval",
    details: "R2 and above need approval. Rules and grants do not change that.",
  },
  red: {
    tone: "bad",
    summary: "writes need approval, and actions that are hard to undo or destructive are denied",
    details: "R2 needs approval, R3 and R4 are denied. Rules and grants do not change that.",
  },
  black: {
    tone: "plain",
    summary: "agents can only compute and read",
    details: "R2 and above are denied. Rules and grants do not change that.",
  },
};

export const BAND_NAMES = Object.keys(BANDS) as Band[];
