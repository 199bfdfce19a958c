// What a proposed change would have let through: a backtest of exactly this change, and for policies a comparison.
import { lazy, Suspense, useState } from "react";
import type { Schemas } from "../api/client";
import { useMay } from "../api/permissions";
import { testsOf } from "../policies/backtest/proposal";
import { Loading } from "../ui/Bits";
import { Button } from "../ui/Button";

const BacktestPanel = lazy(async () => ({
  default: (await import("../policies/backtest/BacktestPanel")).BacktestPanel,
}));
const ComparePanel = lazy(async () => ({
  default: (await import("../policies/compare/ComparePanel")).ComparePanel,
}));

export function WouldLetThrough({ part }: { part: Schemas["ProposedPart"] }) {
  const [isOpen, setOpen] = useState(false);
  const isAdmin = useMay("admin");
  const tests = testsOf(part);
  if (tests === null || isAdmin !== true) return null;
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Backtest this change</Button>;
  return (
    <div className="space-y-6">
      <Suspense fallback={<Loading what="the backtest" />}>
        <BacktestPanel title="Backtest this change" request={tests.backtest} startsAtOnce />
        {tests.compare !== null && <ComparePanel request={tests.compare} />}
      </Suspense>
    </div>
  );
}
