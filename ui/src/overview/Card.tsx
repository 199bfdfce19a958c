// A chart with the same numbers as a table, for screen readers and exact values.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Filters } from "../activity/filters";

export interface Cell {
  text: string;
  /** The matching activity, where there is one. */
  search?: Filters;
}

interface Props {
  id?: string;
  title: string;
  about: string;
  columns: readonly string[];
  rows: readonly { name: string; cells: Cell[] }[];
  children: ReactNode;
  isWide?: boolean;
}

export function Card({ id, title, about, columns, rows, children, isWide = false }: Props) {
  return (
    <section
      id={id}
      aria-label={title}
      className={`flex min-w-0 flex-col rounded-xl border border-edge bg-card ${isWide ? "lg:col-span-2" : ""}`}
    >
      <div className="px-4 pt-3">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-xs text-faint">{about}</p>
      </div>
      <div className="p-2 pt-3">{children}</div>
      <details className="mt-auto border-t border-edge px-4 py-2">
        <summary className="cursor-pointer text-xs text-faint">Show as table</summary>
        <div className="mt-2 max-h-72 overflow-auto" tabIndex={0} role="region" aria-label={`${title} as a table`}>
          <table className="w-full text-xs tabular-nums">
            <thead className="sticky top-0 bg-card text-left text-faint">
              <tr>
                <th scope="col" className="py-1 pr-3 font-medium">
                  {" "}
                  Time{" "}
                </th>
                {columns.map((column) => (
                  <th key={column} scope="col" className="px-2 py-1 text-right font-medium">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name} className="border-t border-edge">
                  <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                    {row.name}
                  </th>
                  {row.cells.map((cell, index) => (
                    <td key={index} className="px-2 py-1 text-right">
                      {cell.search === undefined ? (
                        cell.text
                      ) : (
                        <Link to="/activity" search={cell.search} className="text-accent hover:underline">
                          {cell.text}
                        </Link>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}
