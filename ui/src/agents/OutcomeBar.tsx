// How the calls of the last 7 days ended, as a bar.
import { type Outcomes, outcomeParts, outcomeText } from "./counts";

const FILL = { succeeded: "bg-good", failed: "bg-bad", denied: "bg-strong", other: "" };

export function OutcomeBar({ outcomes }: { outcomes: Outcomes }) {
  const label = outcomeText(outcomes);
  return (
    <div role="img" aria-label={label} title={label} className="flex h-1.5 gap-px overflow-hidden rounded-full bg-sunk">
      {outcomeParts(outcomes).map((part) => (
        <span key={part.name} className={FILL[part.name]} style={{ flexGrow: part.count }} />
      ))}
    </div>
  );
}
