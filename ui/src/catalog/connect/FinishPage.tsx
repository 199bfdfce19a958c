// The end of an OAuth authorization: the browser comes back from the authorization server with a code.
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiError, api, take } from "../../api/client";
import { arrivedFragment, forgetFragment } from "../../frame/arrival";
import { Line } from "../../text/Visible";
import { Empty, PageHead, ProblemCard } from "../../ui/Bits";
import { catalogChanged } from "../queries";
import { type Callback, readCallback } from "./callback";

type Result = { source: string } | { error: unknown };

export function FinishPage() {
  const [callback] = useState(() => readCallback(arrivedFragment()));
  return (
    <>
      <PageHead title="Connect a source" />
      <div className="mx-auto w-full max-w-xl p-4 md:p-6">
        {callback === null ? <NothingToFinish /> : <Finish callback={callback} />}
      </div>
    </>
  );
}

function Finish({ callback }: { callback: Callback }) {
  const [result, setResult] = useState<Result | null>(null);
  useEffect(() => {
    // A code works once, so it is sent once, even if the page is drawn again.
    if (arrivedFragment() === null) return;
    forgetFragment();
    void finish(callback).then(setResult);
  }, [callback]);
  if (result === null)
    return (
      <p role="status" className="animate-pulse rounded-xl border border-edge bg-card p-6 text-center text-soft">
        Connecting …
      </p>
    );
  if ("error" in result) return <Failed error={result.error} />;
  return (
    <div role="status">
      <Empty icon="check" title="Connected">
        <p>
          Countersign now has access to{" "}
          <span className="font-medium text-ink">
            <Line text={result.source} />
          </span>
          . You can close this tab, or{" "}
          <Link to="/catalog/$source" params={{ source: result.source }} className="font-medium text-accent underline">
            open the source
          </Link>
          .
        </p>
      </Empty>
    </div>
  );
}

async function finish(body: Callback): Promise<Result> {
  try {
    const { connector } = await take(api.POST("/v1/oauth/finish", { body }));
    await catalogChanged();
    return { source: connector };
  } catch (error) {
    return { error };
  }
}

function Failed({ error }: { error: unknown }) {
  const isUnknown = error instanceof ApiError && error.problem.code === "not_found";
  return (
    <ProblemCard error={error}>
      {isUnknown && (
        <p className="text-soft">
          Another person began the authorization, or it was used or has expired. Each one works once, for ten minutes.
        </p>
      )}
      <StartAgain />
    </ProblemCard>
  );
}

function NothingToFinish() {
  return (
    <Empty icon="catalog" title="Nothing to finish here">
      <p>The authorization was refused, or this page was opened by itself. No access was given.</p>
      <StartAgain />
    </Empty>
  );
}

function StartAgain() {
  return (
    <p>
      Start again from the source in the{" "}
      <Link to="/catalog" className="font-medium text-accent underline">
        catalog
      </Link>
      .
    </p>
  );
}
