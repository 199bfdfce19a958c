// The last steps of connecting a source: review and result.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Line } from "../../text/Visible";
import { Empty, Loading, ProblemCard, RiskBadge } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { ModeBadge } from "../../ui/Mode";
import { connector, source as sourceQuery } from "../queries";
import { ReviewList } from "../review/ReviewList";
import { isToReview } from "../review/review";
import { Buttons } from "./SetupSteps";

export function ReviewStep({ source, onNext }: { source: string; onNext: () => void }) {
  const { data, error } = useQuery(connector(source));
  if (data === undefined) return error === null ? <Loading what="tools" /> : <ProblemCard error={error} />;
  const waiting = data.tools.filter(isToReview);
  const unusable = data.tools.filter((tool) => tool.state === "unusable");
  return (
    <>
      <div className="space-y-1">
        <h2 className="font-semibold">
          {waiting.length === 0
            ? "All tools are reviewed"
            : `${waiting.length} ${waiting.length === 1 ? "tool" : "tools"} to review`}
        </h2>
        <p className="text-soft">
          Every call of an unreviewed tool needs approval. The risk shown is the server's claim until you change it. By
          default, R2 and above need approval.
        </p>
      </div>
      {waiting.length > 0 && <ReviewList source={source} tools={waiting} />}
      {unusable.length > 0 && (
        <p className="text-soft">
          {unusable.length} not usable:{" "}
          {unusable.map((tool, index) => (
            <span key={tool.tool}>
              {index > 0 && ", "}
              <Line text={`${tool.tool} (${tool.problem ?? "no reason given"})`} />
            </span>
          ))}
        </p>
      )}
      <Buttons>
        <Button variant="primary" onClick={onNext}>
          {waiting.length === 0 ? "Continue" : "Review the rest later"}
        </Button>
      </Buttons>
    </>
  );
}

export function DoneStep({ source }: { source: string }) {
  const { data, error } = useQuery(sourceQuery(source));
  if (data === undefined) return error === null ? <Loading what="actions" /> : <ProblemCard error={error} />;
  return (
    <>
      <div className="space-y-1">
        <h2 className="font-semibold">
          <Line text={source} /> is connected
        </h2>
        <p className="text-soft">Agents can now use these actions. The badge shows the current policy decision.</p>
      </div>
      {data.actions.length === 0 ? (
        <Empty icon="catalog" title="No actions">
          <p>The server listed no usable tools.</p>
        </Empty>
      ) : (
        <ul
          aria-label="Available actions"
          className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card"
        >
          {data.actions.map((action) => (
            <li key={action.action} className="flex items-center gap-2 px-4 py-2.5">
              <span className="min-w-0 flex-1 truncate font-medium">
                <Line text={action.action} />
              </span>
              <RiskBadge risk={action.risk} />
              <ModeBadge mode={action.mode} />
            </li>
          ))}
        </ul>
      )}
      <p className="text-soft">
        Agents list them with{" "}
        <code className="rounded bg-sunk px-1.5 py-0.5 font-mono text-xs">countersign actions list</code> or over MCP.
      </p>
      <div className="flex flex-wrap gap-4">
        <Link to="/catalog/$source" params={{ source }} className="font-medium text-accent underline">
          View source
        </Link>
        <Link to="/policy" className="font-medium text-accent underline">
          Set rules
        </Link>
      </div>
    </>
  );
}
