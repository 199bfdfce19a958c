// Says which sessions end at once when a member may use less, or is removed from a space.
import { useQuery } from "@tanstack/react-query";
import type { Space } from "../settings/queries";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { sessions } from "./queries";
import { endingSessions, type Session } from "./sessions";

interface Props {
  space: Space;
  member: { user: string; role: string };
  /** What they may use from now on; null if they are removed. */
  capabilities: readonly string[] | null;
}

/** While somebody chooses, only sessions that end are worth a line; a confirmation also says that none does. */
export function Ending({ space, member, capabilities, isConfirmation = false }: Props & { isConfirmation?: boolean }) {
  const { data, error } = useQuery(sessions);
  const now = useNow();
  if (data === undefined) {
    if (!isConfirmation) return null;
    return error === null ? <Loading what="sessions" /> : <ProblemCard error={error} />;
  }
  const ending = endingSessions(data, { space, member, capabilities }, now);
  if (ending.length === 0) return isConfirmation ? <p className="text-soft">No open session ends.</p> : null;
  return (
    <div role="alert" className="space-y-1 rounded-lg bg-warn-wash px-3 py-2 text-warn">
      <p>{ending.length === 1 ? "This session ends at once:" : `These ${ending.length} sessions end at once:`}</p>
      <ul aria-label="Sessions that end" className="max-h-40 list-disc overflow-y-auto pl-5" tabIndex={0}>
        {ending.map((session) => (
          <li key={session.id} className="wrap-anywhere">
            <SessionText session={session} />, opened {ago(session.created_at, now)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function SessionText({ session: { agent, title, id } }: { session: Session }) {
  return (
    <>
      <Line text={agent} />: <Line text={title === "" ? id : title} />
    </>
  );
}
