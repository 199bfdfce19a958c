// One source: status, tools to review, and actions.
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useMay } from "../api/permissions";
import { sourceTarget } from "../conduct/conduct";
import { StopButtons } from "../conduct/StopButtons";
import { TargetBadge } from "../conduct/Words";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { Empty, Loading, ProblemCard } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { ActionRow } from "./ActionRow";
import { ConnectorActions, ConnectorFacts } from "./ConnectorActions";
import { IntegrationActions } from "./IntegrationActions";
import { connector, type Source, type SourceDetail, source } from "./queries";
import { ReviewList } from "./review/ReviewList";
import { isToReview } from "./review/review";
import { isUnconnected, KINDS, SourceBadges, Unconnected } from "./SourceBadges";
import { Latency, UsageBar } from "./Usage";

export function SourcePage() {
  const { source: name } = useParams({ strict: false }) as { source: string };
  const { data, error } = useQuery(source(name));
  if (data === undefined)
    return error === null ? (
      <Loading what="the source" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  return <Page detail={data} />;
}

function Page({ detail: { source: found, actions } }: { detail: SourceDetail }) {
  const isAdmin = useMay("admin") === true;
  const isConnector = found.connector != null;
  const target = sourceTarget(found.source);
  const tools = useQuery({ ...connector(found.source), enabled: isAdmin && isConnector }).data;
  const waiting = tools?.tools.filter(isToReview) ?? [];
  const unusable = tools?.tools.filter((tool) => tool.state === "unusable") ?? [];
  const hash = useLocation({ select: (at) => at.hash });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part to scroll to appears with the loaded tools.
  useEffect(() => {
    if (hash !== "") document.getElementById(hash)?.scrollIntoView({ block: "start" });
  }, [hash, waiting.length]);
  return (
    <>
      <header
        className={`flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        md:px-6`}
      >
        <Link to="/catalog" aria-label="Back to catalog" className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk">
          <Icon name="back" />
        </Link>
        <div className="min-w-40 flex-1">
          <h1 className="truncate text-base font-semibold">
            <Line text={found.source} />
          </h1>
          <p className="text-xs text-faint">{KINDS[found.kind].about}</p>
        </div>
        <TargetBadge target={target} />
        <SourceBadges source={found} />
        <StopButtons target={target} />
        {isAdmin && found.kind === "integration" && <IntegrationActions source={found} />}
        {isAdmin && tools !== undefined && <ConnectorActions connector={tools.connector} />}
      </header>
      <div className="mx-auto w-full max-w-5xl space-y-6 p-4 md:p-6">
        {found.problem != null && <Problem source={found} isAdmin={isAdmin} />}
        <Numbers source={found} />
        {isAdmin && tools !== undefined && <ConnectorFacts connector={tools.connector} />}
        {waiting.length > 0 && (
          <section id="review" aria-label="To review" className="scroll-mt-4 space-y-2">
            <h2 className="eyebrow">To review</h2>
            <p className="text-soft">
              Every call of these tools needs approval until you accept them. Agents do not see their descriptions yet.
            </p>
            <ReviewList source={found.source} tools={waiting} />
          </section>
        )}
        {!isAdmin && found.to_review > 0 && (
          <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
            {found.to_review} tools wait for review by an admin. Until then every call needs approval.
          </p>
        )}
        <section aria-label="Actions" className="space-y-2">
          <h2 className="eyebrow">Actions</h2>
          {actions.length === 0 ? (
            <Empty icon="catalog" title="No actions">
              {isConnector ? (
                <p>The server listed no tools. Refresh the tools when it works.</p>
              ) : (
                <p>Connect it to see its actions.</p>
              )}
            </Empty>
          ) : (
            <ul className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
              {actions.map((action) => (
                <ActionRow
                  key={action.action}
                  action={action}
                  tool={tools?.tools.find((tool) => tool.action === action.action) ?? null}
                  source={found.source}
                  isOpen={hash === action.action}
                />
              ))}
            </ul>
          )}
        </section>
        {unusable.length > 0 && (
          <section aria-label="Unusable tools" className="space-y-2">
            <h2 className="eyebrow">Unusable tools</h2>
            <ul className="space-y-1">
              {unusable.map((tool) => (
                <li key={tool.tool}>
                  <span className="font-medium">
                    <Line text={tool.tool} />
                  </span>
                  : <Line text={tool.problem ?? ""} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

function Numbers({ source: { usage } }: { source: Source }) {
  const now = useNow();
  return (
    <div className="grid gap-x-8 gap-y-3 rounded-xl border border-edge bg-card p-4 sm:grid-cols-3">
      <UsageBar usage={usage} />
      <Latency usage={usage} />
      <p className="text-xs text-faint sm:text-right">
        last {usage.days} days
        {usage.last_at != null && (
          <>
            <br />
            last called {ago(usage.last_at, now)}
          </>
        )}
      </p>
    </div>
  );
}

function Problem({ source: found, isAdmin }: { source: Source; isAdmin: boolean }) {
  return (
    <div role="alert" className="flex gap-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <Icon name="warning" className="mt-0.5 size-4" />
      <div className="min-w-0">
        <p className="font-semibold">
          {isUnconnected(found) ? <Unconnected isAdmin={isAdmin} /> : <Line text={found.problem ?? ""} />}
        </p>
        {!isAdmin && !isUnconnected(found) && <p>An admin or owner can fix this.</p>}
        {isAdmin && found.kind === "integration" && !isUnconnected(found) && (
          <p>Connect it with a token of the organization.</p>
        )}
        {isAdmin && found.connector != null && (
          <p>The tools found before are kept. Use “Edit” to fix the URL or the authentication.</p>
        )}
      </div>
    </div>
  );
}
