// What became of an answer, in our words and in those of whoever said why.
import { Line } from "../text/Visible";
import type { Said } from "./answer";

export function Words({ said: { action, text, quote } }: { said: Pick<Said, "action" | "text" | "quote"> }) {
  return <><Line text={action} />: {text}{quote !== undefined && <> <Line text={quote} /></>}</>;
}
