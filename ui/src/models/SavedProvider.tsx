// What a provider can do, right after it was saved.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button, buttonClass } from "../ui/Button";
import { Icon } from "../ui/icons";
import { ModelTable } from "./ModelTable";
import { type Provider, testProvider } from "./queries";
import { stateOf } from "./words";

interface Props {
  provider: Provider;
  onTested: (now: Provider) => void;
  onEdit: () => void;
}

const ADVICE =
  "Check the URL, the key and the name of the model. A private address must be allowed by the operator with " +
  "COUNTERSIGN_EGRESS_ALLOW.";

export function SavedProvider({ provider, onTested, onEdit }: Props) {
  const test = useMutation({ mutationFn: () => testProvider(provider.provider), onSuccess: onTested });
  const state = stateOf(provider);
  const isReady = state.tone === "good";
  return (
    <div className="space-y-4">
      <div
        role={isReady ? "status" : "alert"}
        className={`flex gap-3 rounded-xl px-4 py-3 ${isReady ? "bg-good-wash text-good" : "bg-warn-wash text-warn"}`}
      >
        <Icon name={isReady ? "check" : "warning"} className="mt-0.5 size-4" />
        <div className="min-w-0">
          <p className="font-semibold">
            <Line text={provider.provider} /> is saved{isReady ? " and ready" : `, but not ready: ${state.name}`}
          </p>
          <p className="wrap-anywhere">
            <Line text={state.text} />
          </p>
          {state.tone === "bad" && <p className="mt-1">{ADVICE}</p>}
        </div>
      </div>
      {test.error !== null && <ProblemCard error={test.error} />}
      <div className="overflow-hidden rounded-xl border border-edge bg-card">
        <ModelTable provider={provider} />
      </div>
      <div className="flex flex-row-reverse flex-wrap gap-2 max-md:[&>*]:flex-1">
        <Link to="/models" className={buttonClass(isReady ? "primary" : "plain")}>
          Done
        </Link>
        {!isReady && (
          <Button variant="primary" onClick={onEdit}>
            Edit
          </Button>
        )}
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? "Testing …" : "Test again"}
        </Button>
      </div>
    </div>
  );
}
