// Deliveries of a webhook, newest first.
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { ago, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, Loading, ProblemCard, type Tone } from "../ui/Bits";
import { Button } from "../ui/Button";
import { changed, type Delivery, deliveries } from "./queries";

const TONE: Record<string, Tone> = { delivered: "good", failed: "bad", pending: "accent" };

export function Deliveries({ webhook }: { webhook: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(deliveries(webhook));
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  if (data === undefined) return error === null ? <Loading what="deliveries" /> : <ProblemCard error={error} />;
  if (all.length === 0) return <p className="text-soft">No deliveries yet. Send a test event.</p>;
  return (
    <>
      <ul aria-label="Deliveries" className="space-y-2">
        {all.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {" "}
          Show older{" "}
        </Button>
      )}
    </>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const now = useNow();
  const resend = useMutation({
    mutationFn: () =>
      take(
        api.POST("/v1/webhooks/{webhook}/deliveries/{delivery}/resend", {
          params: { path: { webhook: delivery.webhook, delivery: delivery.id } },
        }),
      ),
    onSuccess: () => changed("deliveries"),
    onError: (error) => notify("warn", "Could not resend", <Line text={error.message} />),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={TONE[delivery.status] ?? "plain"}>{delivery.status}</Badge>
      <span className="min-w-40 flex-1">
        <code className="block truncate font-mono text-xs">
          <Line text={delivery.event} />
        </code>
        <span className="block text-xs text-faint">
          {ago(delivery.created_at, now)} · {delivery.attempts} {delivery.attempts === 1 ? "attempt" : "attempts"}
          {delivery.last_status != null && ` · status ${delivery.last_status}`}
          {delivery.next_at != null && ` · next attempt ${untilText(delivery.next_at, now)}`}
        </span>
        {delivery.last_error != null && (
          <span className="block text-xs text-bad">
            <Line text={delivery.last_error} />
          </span>
        )}
      </span>
      <Button variant="quiet" disabled={resend.isPending} onClick={() => resend.mutate()}>
        {" "}
        Resend{" "}
      </Button>
    </li>
  );
}
