// Changes that follow from what people answered. Each one is tested on past calls before it is made.
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge, Empty, Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Rows } from "../Badges";
import { suggestions } from "../queries";
import type { PolicySuggestion } from "../types";
import { MakeDialog } from "./MakeDialog";
import { KINDS, keyOf } from "./make";

const BacktestPanel = lazy(async () => ({ default: (await import("../backtest/BacktestPanel")).BacktestPanel }));

export function Suggestions() {
  const { data, error } = useQuery(suggestions);
  const [opened, setOpened] = useState<string | null>(null);
  // The dialog stays about the same change while the list is refetched.
  const [making, setMaking] = useState<PolicySuggestion | null>(null);
  if (data === undefined) return error === null ? <Loading what="suggestions" /> : <ProblemCard error={error} />;
  return (
    <div className="space-y-4">
      {data.length === 0 ? (
        <Empty icon="check" title="No suggestions">
          <p>
            Suggestions appear when the same call is always approved or always denied, and when a rule is never used.
            They are based on the last 30 days.
          </p>
        </Empty>
      ) : (
        <>
          <p className="text-soft">Based on the last 30 days. Open a suggestion to test it on past calls first.</p>
          <Rows name="Suggestions">
            {data.map((each) => (
              <Row
                key={keyOf(each)}
                suggestion={each}
                isOpen={opened === keyOf(each)}
                onOpen={(isOpen) => setOpened(isOpen ? keyOf(each) : null)}
                onMake={() => setMaking(each)}
              />
            ))}
          </Rows>
        </>
      )}
      {making !== null && <MakeDialog suggestion={making} onClose={() => setMaking(null)} />}
    </div>
  );
}

interface RowProps {
  suggestion: PolicySuggestion;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onMake: () => void;
}

function Row({ suggestion, isOpen, onOpen, onMake }: RowProps) {
  const { kind, action, words, backtest } = suggestion;
  const { label, tone, make } = KINDS[kind];
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64 space-y-1">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={tone}>{label}</Badge>
            <code className="font-mono text-[0.8125rem] font-medium wrap-anywhere">
              <Line text={action} />
            </code>
          </p>
          <p className="wrap-anywhere text-soft">
            <Line text={words} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {isOpen && (
            <Button variant={kind === "grant" ? "primary" : "bad"} onClick={onMake}>
              {make} …
            </Button>
          )}
          <Button aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
            {isOpen ? "Close" : "Open"}
            <span className="sr-only"> the suggestion for {plain(action)}</span>
          </Button>
        </div>
      </div>
      {isOpen && (
        <div className="mt-4 border-t border-edge pt-4">
          <Suspense fallback={<Loading what="the backtest" />}>
            <BacktestPanel request={backtest} startsAtOnce />
          </Suspense>
        </div>
      )}
    </li>
  );
}
