// Headings and rows of the settings pages.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading, ProblemCard } from "../ui/Bits";

export function Heading({ title, about, children }: { title: string; about: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="min-w-56 flex-1 max-md:basis-full">
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="text-soft">{about}</p>
      </div>
      {children}
    </div>
  );
}

interface Props<T> {
  name: string;
  query: UseQueryResult<T[]>;
  none: ReactNode;
  children: (item: T) => ReactNode;
}

export function Rows<T>({ name, query: { data, error }, none, children }: Props<T>) {
  if (data === undefined) return error === null ? <Loading what={name} /> : <ProblemCard error={error} />;
  if (data.length === 0)
    return <div className="rounded-xl border border-dashed border-strong px-5 py-8 text-center text-soft">{none}</div>;
  return (
    <ul aria-label={name} className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
      {data.map(children)}
    </ul>
  );
}

export function Row({ title, about, children }: { title: ReactNode; about: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">{title}</p>
        <p className="text-xs text-faint wrap-anywhere">{about}</p>
      </div>
      {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </li>
  );
}
