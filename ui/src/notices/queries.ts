// Notices: messages that agents and automations send to people with `data.notify`.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { type Notice, type NoticeText, noticeText } from "./notice";

/** The newest notices that the panel shows. */
const NEWEST = 20;

type ActivityItem = Schemas["ActivityItem"];

// The event log cannot list the newest events of one type: without a position it looks at the newest 100 of all
// types. The invocations of `data.notify` are indexed and have the same text, so the panel loads those.
export const notices = queryOptions({
  queryKey: ["notices"],
  queryFn: async ({ signal }): Promise<Notice[]> => {
    const query = { action: "data.notify", status: "succeeded", limit: NEWEST };
    const { items } = await take(api.GET("/v1/invocations", { params: { query }, signal }));
    return Promise.all(items.filter(isReadable).map((item) => notice(item, signal)));
  },
  // Events announce new notices; this is for when the stream is interrupted.
  refetchInterval: 60_000,
});

const isReadable = ({ dry_run, erased_at }: ActivityItem) => !dry_run && erased_at == null;

async function notice(item: ActivityItem, signal: AbortSignal): Promise<Notice> {
  const { id, agent, session, run = null, finished_at, requested_at } = item;
  const text = noticeText(item.params_line) ?? (await longText(id, signal));
  return { id, agent, session, run, at: finished_at ?? requested_at, ...text };
}

const known = new Map<string, NoticeText>();

/** The list cuts parameters after 300 characters; a longer text is fetched once. */
async function longText(id: string, signal: AbortSignal): Promise<NoticeText> {
  const before = known.get(id);
  if (before !== undefined) return before;
  const { params } = await take(
    api.GET("/v1/invocations/{invocation}", { params: { path: { invocation: id } }, signal }),
  );
  const found = noticeText(JSON.stringify(params)) ?? { title: "", body: "", level: "info" };
  known.set(id, found);
  return found;
}
