// The text of a toast after an answer was sent.
import { Line } from "../text/Visible";
import type { Outcome } from "./answer";

export function AnswerText({
  outcome: { action, text, quote },
}: {
  outcome: Pick<Outcome, "action" | "text" | "quote">;
}) {
  return (
    <>
      <Line text={action} />: {text}
      {quote !== undefined && (
        <>
          {" "}
          <Line text={quote} />
        </>
      )}
    </>
  );
}
