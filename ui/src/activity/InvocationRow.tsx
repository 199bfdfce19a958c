// One row in the list of invocations.
import { Link } from "@tanstack/react-router";
import { useNow } from "../text/now";
import { ago, moment, took } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, RiskBadge, StatusBadge } from "../ui/Bits";
import type { ActivityItem } from "./queries";

export function InvocationRow({ item }: { item: ActivityItem }) {
  const now = useNow();
  return (
    <Link
      to="/activity/$invocation"
      params={{ invocation: item.id }}
      className={`grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-edge px-4
        hover:bg-sunk md:grid-cols-[minmax(0,1fr)_11rem_7rem_4.5rem_7rem] md:px-6`}
    >
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <RiskBadge risk={item.risk} />
          <span className="truncate font-medium">
            <Line text={item.action} />
          </span>
          {item.dry_run && <Badge>dry run</Badge>}
        </span>
        <span className="block truncate text-xs text-faint">
          <span className="md:hidden">
            <Line text={item.agent} /> ·{" "}
          </span>
          {item.error != null ? (
            <span className="text-bad">
              <Line text={`${item.error.class.replaceAll("_", " ")}: ${item.error.message}`} />
            </span>
          ) : item.erased_at != null ? (
            "Parameters erased"
          ) : item.params_line === "{}" ? (
            "No parameters"
          ) : (
            <code className="font-mono">
              <Line text={item.params_line} />
            </code>
          )}
        </span>
      </span>
      <span className="hidden min-w-0 md:block">
        <span className="block truncate">
          <Line text={item.agent} />
        </span>
        <span className="block truncate text-xs text-faint">
          {item.run != null ? "automation run" : <Line text={item.space} />}
        </span>
      </span>
      <span className="flex flex-col items-end gap-0.5 md:items-start">
        <StatusBadge status={item.status} />
        <span className="text-xs text-faint md:hidden">{ago(item.requested_at, now)}</span>
      </span>
      <span className="hidden text-soft tabular-nums md:block">
        {item.started_at != null &&
          item.finished_at != null &&
          took(Date.parse(item.finished_at) - Date.parse(item.started_at))}
      </span>
      <time
        dateTime={item.requested_at}
        title={moment(item.requested_at)}
        className="hidden text-right text-faint md:block"
      >
        {ago(item.requested_at, now)}
      </time>
    </Link>
  );
}
