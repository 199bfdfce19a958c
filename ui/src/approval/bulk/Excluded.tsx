// Says which requests are not part of a bulk answer, and why.
import { Link } from "@tanstack/react-router";
import { keyOf } from "../../api/queries";
import { summary } from "../../text/summary";
import { Excerpt, Line } from "../../text/Visible";
import type { LoadedRequests } from "./load";

interface Props {
  list: LoadedRequests["excluded"];
  isLinked?: boolean;
}

export function Excluded({ list, isLinked = false }: Props) {
  if (list.length === 0) return null;
  return (
    <div role="alert" className="space-y-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">
        {list.length === 1 ? "1 request is not included:" : `${list.length} requests are not included:`}
      </p>
      <ul className="list-disc space-y-1 pl-5">
        {list.map(({ item, reason }) => (
          <li key={keyOf(item)} className="wrap-anywhere">
            {isLinked ? (
              <Link to="/inbox/$key" params={{ key: keyOf(item) }} className="font-medium underline">
                <Line text={item.invocation.action} />: <Excerpt text={summary(item.invocation.params)} />
              </Link>
            ) : (
              <Excerpt text={summary(item.invocation.params)} />
            )}
            : <Line text={reason} />
          </li>
        ))}
      </ul>
    </div>
  );
}
