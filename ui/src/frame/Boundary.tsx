// Error page and not-found page.
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { ApiError } from "../api/client";
import { plain } from "../text/visible";
import { Empty, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";

export function Boundary({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-xl p-4 md:p-8">
      <ProblemCard error={error}>
        {!(error instanceof ApiError) && (
          <p className="text-soft">
            Nothing was sent. If this happens again, report it to the operator of this gateway:{" "}
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
    <Empty icon="search" title="Page not found">
      <p>
        <Link to="/inbox" className="text-accent underline">
          Go to the inbox
        </Link>
      </p>
    </Empty>
  );
}
