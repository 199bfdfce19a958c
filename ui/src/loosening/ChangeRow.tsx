// A proposed change as a row of the inbox.
import { ChangeSentence } from "../activity/changes/Words";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Excerpt } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Countdown } from "../ui/Countdown";
import { loosensText, type ProposedRow } from "./proposed";

export function ChangeRow({ row: { change, involvement } }: { row: ProposedRow }) {
  const now = useNow();
  const [first, ...others] = change.changes;
  return (
    <>
      <span className="flex items-center gap-2">
        <Badge tone={involvement === "answer" ? "warn" : "plain"}>loosens</Badge>
        <span className="min-w-0 flex-1 truncate font-medium">
          Change: {first !== undefined && <ChangeSentence change={first} isRow />}
          {others.length > 0 && ` and ${others.length} more`}
        </span>
        <span className="text-xs">
          <span className="sr-only">expires in </span>
          <Countdown until={change.expires_at} />
        </span>
      </span>
      <span className="truncate text-soft">
        {involvement !== "answer" && "Waits for a second owner · "}
        <span className="text-faint">
          {involvement === "own" ? "you" : <Excerpt text={change.proposed_by_name ?? change.proposed_by} />},{" "}
          <time dateTime={change.proposed_at} title={moment(change.proposed_at)}>
            {ago(change.proposed_at, now)}
          </time>
        </span>
        {" · "}
        <Excerpt text={loosensText(change)} />
      </span>
    </>
  );
}
