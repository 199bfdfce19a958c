// Sections with a heading, and facts as name and value. Values have their own column, so that no value can look like a
// row.
import type { ReactNode } from "react";

export function Section({ title, children, aside }: { title: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <section className="space-y-2">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="eyebrow">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">{children}</dl>;
}

export function Fact({ name, children, tone = "" }: { name: ReactNode; children: ReactNode; tone?: string }) {
  return (
    <div className={`grid gap-x-4 px-4 py-2 sm:grid-cols-[9.5rem_minmax(0,1fr)] ${tone}`}>
      <dt className="wrap-anywhere text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
