// What is shown when a page cannot be drawn, or there is none at this address.
import { Link, type ErrorComponentProps } from "@tanstack/react-router";
import { Refusal } from "../api/client";
import { plain } from "../text/visible";
import { Empty, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";

export function Boundary({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-xl p-4 md:p-8">
      <ProblemCard error={error}>
        {!(error instanceof Refusal) && (
          <p className="text-soft">
            Nothing was sent because of it. If it comes again, tell whoever runs this gateway:{" "}
            <code className="font-mono text-xs">{plain(String(error)).slice(0, 300)}</code>
          </p>
        )}
        <div className="pt-2">
          <Button onClick={reset}>Try again</Button>
        </div>
      </ProblemCard>
    </div>
  );
}

export function NotFound() {
  return (
    <Empty icon="search" title="There is no page at this address">
      <p>
        <Link to="/inbox" className="text-accent underline">Go to the inbox</Link>
      </p>
    </Empty>
  );
}
