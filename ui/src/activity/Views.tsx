// The views of the activity page: what agents did, and what people changed.
import { Link } from "@tanstack/react-router";

const VIEWS = [
  ["/activity", "Invocations"],
  ["/activity/changes", "Changes"],
] as const;

export function Views({ current }: { current: (typeof VIEWS)[number][0] }) {
  return (
    <nav aria-label="Activity" className="flex shrink-0 gap-1 border-b border-edge bg-card px-3 md:px-5">
      {VIEWS.map(([to, name]) => (
        <Link
          key={to}
          to={to}
          // Otherwise the first view would count as current on the second one, whose path begins in the same way.
          activeOptions={{ exact: true, includeSearch: false }}
          className={`-mb-px border-b-2 px-2.5 py-2.5 md:py-2 ${
            to === current ? "border-accent font-medium text-accent" : "border-transparent text-soft hover:text-ink"
          }`}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
