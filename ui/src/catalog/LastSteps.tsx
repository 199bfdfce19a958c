// The last steps of connecting: the review of what was found, and what agents can do from now on.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Line } from "../text/Visible";
import { Empty, Loading, ProblemCard, RiskBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { ModeBadge } from "../ui/Mode";
import { Buttons } from "./FirstSteps";
import { connector, source as sourceQuery } from "./queries";
import { isToReview } from "./review";
import { ReviewList } from "./ReviewList";

export function ReviewStep({ source, onNext }: { source: string; onNext: () => void }) {
  const { data, error } = useQuery(connector(source));
  if (data === undefined) return error === null ? <Loading what="its tools" /> : <ProblemCard error={error} />;
  const waiting = data.tools.filter(isToReview);
  const unusable = data.tools.filter((tool) => tool.state === "unusable");
  return (
    <>
      <div className="space-y-1">
        <h2 className="font-semibold">{waiting.length === 0 ? "Everything is reviewed" : `${waiting.length} ${waiting.length === 1 ? "tool waits" : "tools wait"} for your word`}</h2>
        <p className="text-soft">A tool that nobody has reviewed can be asked for, but every call waits for a person. The risk is what its server claims, until you say otherwise; from R2 on a person is asked, unless a rule says more.</p>
      </div>
      {waiting.length > 0 && <ReviewList source={source} tools={waiting} />}
      {unusable.length > 0 && <p className="text-soft">{unusable.length} cannot be used: {unusable.map((tool, index) => <span key={tool.tool}>{index > 0 && ", "}<Line text={`${tool.tool} (${tool.problem ?? "no reason"})`} /></span>)}</p>}
      <Buttons><Button look="primary" onClick={onNext}>{waiting.length === 0 ? "Go on" : "Review the rest later"}</Button></Buttons>
    </>
  );
}

export function DoneStep({ source }: { source: string }) {
  const { data, error } = useQuery(sourceQuery(source));
  if (data === undefined) return error === null ? <Loading what="what agents can do" /> : <ProblemCard error={error} />;
  return (
    <>
      <div className="space-y-1">
        <h2 className="font-semibold"><Line text={source} /> is connected</h2>
        <p className="text-soft">This is what agents can ask for from now on, and what is decided about it.</p>
      </div>
      {data.actions.length === 0 ? (
        <Empty icon="catalog" title="Nothing yet"><p>It listed no tools that can be used.</p></Empty>
      ) : (
        <ul aria-label="What agents can ask for" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
          {data.actions.map((action) => (
            <li key={action.action} className="flex items-center gap-2 px-4 py-2.5">
              <span className="min-w-0 flex-1 truncate font-medium"><Line text={action.action} /></span>
              <RiskBadge risk={action.risk} /><ModeBadge mode={action.mode} />
            </li>
          ))}
        </ul>
      )}
      <p className="text-soft">An agent sees them with <code className="rounded bg-sunk px-1.5 py-0.5 font-mono text-xs">countersign actions list</code> or over MCP.</p>
      <div className="flex flex-wrap gap-4">
        <Link to="/catalog/$source" params={{ source }} className="font-medium text-accent underline">Look at the source</Link>
        <Link to="/policy" className="font-medium text-accent underline">Set rules for it</Link>
      </div>
    </>
  );
}
