// A table of names with their numbers, the largest first.
import type { ReactNode } from "react";

interface Props {
  title: string;
  about?: string;
  columns: string[];
  children: ReactNode;
}

export function Ranking({ title, about, columns, children }: Props) {
  return (
    <section aria-label={title} className="overflow-hidden rounded-xl border border-edge bg-card">
      <table className="w-full tabular-nums">
        <thead>
          <tr className="text-xs text-faint">
            <th scope="col" className="w-1/2 px-4 py-2.5 text-left text-sm font-semibold text-ink">
              {title}
              {about !== undefined && <span className="block text-xs font-normal text-faint">{about}</span>}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 text-right font-medium last:pr-4">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
