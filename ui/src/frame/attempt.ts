// Runs an action and shows a toast when it fails.
import { ApiError, Proposed } from "../api/client";
import { plain } from "../text/visible";
import { notify } from "./toasts";

/** Returns whether it succeeded. */
export async function attempt(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    // The person is told centrally.
    if (error instanceof Proposed) return false;
    const problem = error instanceof ApiError ? error.problem : null;
    const text =
      problem === null
        ? "The page could not complete the request."
        : `${plain(problem.detail ?? problem.title)}. What to do: ${plain(problem.hint)}.`;
    notify("warn", problem === null ? "Something went wrong" : plain(problem.title), text);
    return false;
  }
}
