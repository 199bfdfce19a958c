// What models cost today, of the limits of the organization.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../api/permissions";
import { useNow } from "../text/now";
import { number } from "../text/number";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { BudgetDialog } from "./BudgetDialog";
import { costText } from "./price";
import { type Spending, spending } from "./queries";
import { leftOf, sharesOf, type Usage, usageOf } from "./spending";

/** `isUsed`: whether there are providers. Without one, only a day with costs is shown. */
export function SpendingToday({ isUsed }: { isUsed: boolean }) {
  const { data, error } = useQuery(spending);
  if (data === undefined) {
    if (error !== null) return <ProblemCard error={error} />;
    return isUsed ? <Loading what="spending" /> : null;
  }
  return isUsed || data.days.length > 0 ? <SpendingCard spending={data} /> : null;
}

export function SpendingCard({ spending }: { spending: Spending }) {
  const may = useMay("owner") === true;
  const [isEditing, setEditing] = useState(false);
  const { usd, tokens } = usageOf(spending, useNow());
  return (
    <section aria-label="Spending today" className="rounded-xl border border-edge bg-card">
      <div className="flex flex-wrap items-start gap-3 p-4">
        <div className="min-w-48 flex-1">
          <h2 className="font-semibold">Spending today</h2>
          <p className="text-soft">
            All model calls of the organization. A day begins at midnight UTC. A call that would exceed a limit is
            refused.
          </p>
        </div>
        {may && (
          <Button className="max-md:w-full" onClick={() => setEditing(true)}>
            Change limits
          </Button>
        )}
      </div>
      <dl className="divide-y divide-edge border-t border-edge">
        <UsageRow name="Cost" usage={usd} text={costText} none="no limit in USD" />
        <UsageRow name="Tokens" usage={tokens} text={number} none="no limit of tokens" />
      </dl>
      {!may && <p className="border-t border-edge px-4 py-2 text-xs text-faint">Only owners can change the limits.</p>}
      {isEditing && <BudgetDialog spending={spending} onClose={() => setEditing(false)} />}
    </section>
  );
}

interface RowProps {
  name: string;
  usage: Usage;
  text: (amount: number) => string;
  none: string;
}

function UsageRow({ name, usage, text, none }: RowProps) {
  const { spent, reserved, limit } = usage;
  const left = leftOf(usage);
  return (
    <div className="grid gap-x-4 px-4 py-2 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 space-y-1.5 tabular-nums">
        <p className="wrap-anywhere">
          <span className="font-medium">{text(spent)}</span>
          {limit !== null && ` of ${text(limit)}`} used
          {reserved > 0 && ` · ${text(reserved)} reserved for calls in progress`}
          {limit === null && ` · ${none}`}
          {left !== null &&
            (left === 0 ? <span className="text-bad"> · used up</span> : <span> · {text(left)} left</span>)}
        </p>
        <UsageBar usage={usage} />
      </dd>
    </div>
  );
}

/** The text above it says the same. */
function UsageBar({ usage }: { usage: Usage }) {
  const shares = sharesOf(usage);
  if (shares === null) return null;
  const width = (share: number) => ({ width: `${share * 100}%` });
  return (
    <div aria-hidden className="flex h-2 max-w-md overflow-hidden rounded-full bg-sunk">
      <span className={`h-full ${shares.isFull ? "bg-bad" : "bg-accent"}`} style={width(shares.spent)} />
      <span className="h-full bg-strong" style={width(shares.reserved)} />
    </div>
  );
}
