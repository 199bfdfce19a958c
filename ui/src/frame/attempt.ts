// Does something for a person, and says so in the gateway's words where it is refused.
import { Refusal } from "../api/client";
import { plain } from "../text/visible";
import { notify } from "./notices";

/** Whether it was done. */
export async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const problem = error instanceof Refusal ? error.problem : null;
    const text = problem === null ? "This page could not do it." : `${plain(problem.detail ?? problem.title)}. What to do: ${plain(problem.hint)}.`;
    notify("warn", problem === null ? "Something went wrong" : plain(problem.title), text);
    return false;
  }
}
