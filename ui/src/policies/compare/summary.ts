// A comparison in one sentence.
import type { ComparedAction, Comparison } from "../types";
import { counted } from "../words";

/** Actions whose decision becomes less strict come first, and then those that were not determined. */
export function byAnswer(actions: readonly ComparedAction[]): ComparedAction[] {
  const rank = ({ loosened }: ComparedAction) => (loosened === true ? 0 : loosened == null ? 1 : 2);
  return [...actions].sort((one, other) => rank(one) - rank(other));
}

const NOT_LESS_STRICT =
  "No compared decision becomes less strict. Calls for which a saved policy cannot be evaluated were not compared.";

const size = (actions: readonly ComparedAction[]) => actions.reduce((sum, { alike }) => sum + 1 + alike, 0);

export function summary({ loosened, actions }: Comparison): { text: string; isGood: boolean } {
  const loose = size(actions.filter((each) => each.loosened === true));
  if (loosened === true)
    return {
      text: `The decision becomes less strict for ${loose} of ${counted(size(actions), "compared action")}.`,
      isGood: false,
    };
  if (loosened === false) return { text: NOT_LESS_STRICT, isGood: true };
  const open = size(actions.filter((each) => each.loosened == null));
  return {
    text: `No decision was found that becomes less strict, but ${counted(open, "action")} could not be compared.`,
    isGood: false,
  };
}
