// The result of a comparison: a sentence, and the actions with an example of a call whose decision becomes less strict.
import { Params } from "../../text/Params";
import { isFields } from "../../text/rows";
import { Line } from "../../text/Visible";
import { Badge } from "../../ui/Bits";
import { ModeBadge } from "../../ui/Mode";
import { Code, Rows } from "../Badges";
import type { ComparedAction, Comparison } from "../types";
import { counted } from "../words";
import { byAnswer, summary } from "./summary";

export function ComparisonView({ comparison }: { comparison: Comparison }) {
  if (comparison.solver == null)
    return (
      <div role="status" className="space-y-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
        <p className="font-semibold">The comparison needs a solver on the server.</p>
        {comparison.missing != null && (
          <p className="wrap-anywhere">
            <Line text={comparison.missing} />
          </p>
        )}
        <p>Without it, the backtest shows the effect on past calls.</p>
      </div>
    );
  const { text, isGood } = summary(comparison);
  return (
    <div className="space-y-4">
      <p
        role="status"
        className={`rounded-xl px-4 py-3 text-base ${isGood ? "bg-good-wash text-good" : "bg-warn-wash text-warn"}`}
      >
        {text}
      </p>
      {comparison.actions.length > 0 && (
        <Rows name="Compared actions">
          {byAnswer(comparison.actions).map((each) => (
            <ActionRow key={each.action} compared={each} />
          ))}
        </Rows>
      )}
    </div>
  );
}

function ActionRow({ compared: { action, alike, loosened, note, example } }: { compared: ComparedAction }) {
  return (
    <li className="space-y-1.5 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-48">
          <Code text={action} />
          {alike > 0 && <span className="text-xs text-faint"> and {counted(alike, "more action")}</span>}
        </span>
        {loosened == null ? (
          <Badge tone="warn">not determined</Badge>
        ) : loosened ? (
          <Badge tone="warn">less strict</Badge>
        ) : (
          <Badge tone="good">not less strict</Badge>
        )}
      </p>
      {note != null && note !== "" && (
        <p className="text-soft wrap-anywhere">
          <Line text={note} />
        </p>
      )}
      {example != null && (
        <div className="space-y-3 py-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="text-soft">This call, for example:</span>
            <ModeBadge mode={example.before} />
            <span role="img" aria-label="becomes" className="text-faint">
              →
            </span>
            <ModeBadge mode={example.after} />
          </p>
          <Params params={example.params} />
          {isFields(example.history) && Object.keys(example.history).length > 0 && (
            <Params params={example.history} title="Facts" />
          )}
        </div>
      )}
    </li>
  );
}
