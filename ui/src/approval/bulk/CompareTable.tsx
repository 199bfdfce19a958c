// Similar requests in one table: common values above, one row each with the differing values. A single request has no
// table.

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { keyOf } from "../../api/queries";
import { Value, Warnings } from "../../text/Params";
import type { ValueRow } from "../../text/rows";
import { Block, Line } from "../../text/Visible";
import { Badge, RISK, RiskBadge } from "../../ui/Bits";
import { Countdown } from "../../ui/Countdown";
import { Fact, Facts } from "../../ui/Section";
import { NO_UNDO } from "../wording";
import { type Approval, compare } from "./groups";

/** With more columns, values are listed below each other. */
const MOST_COLUMNS = 4;

interface Props {
  items: Approval[];
  /** The end of each row; by default the time left. */
  end?: (item: Approval, at: number) => ReactNode;
  /** Its number among all that are shown; by default its place in the table. */
  number?: (item: Approval) => number;
  isLinked?: boolean;
}

export function CompareTable({
  items,
  end = (item) => <RemainingVotes item={item} />,
  number,
  isLinked = false,
}: Props) {
  const { common, differing, values } = compare(items);
  const first = items[0];
  if (first === undefined) return null;
  const { action, agent, risk } = first.invocation;
  const isTable = differing.length <= MOST_COLUMNS;
  const isSingle = items.length === 1;
  const firstNumber = number?.(first);
  const numberAt = (item: Approval, at: number) => number?.(item) ?? at + 1;
  return (
    <section
      className="space-y-3"
      aria-label={
        isSingle ? `Request${firstNumber === undefined ? "" : ` ${firstNumber}`}` : `${items.length} requests`
      }
    >
      <header className="space-y-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base font-semibold wrap-anywhere">
            {isSingle && firstNumber !== undefined && (
              <span className="font-normal tabular-nums text-faint">{firstNumber}</span>
            )}
            <span>
              {!isSingle && `${items.length} × `}
              <Line text={action} />
            </span>{" "}
            <RiskBadge risk={risk} />
            {first.invocation.dry_run && <Badge>dry run</Badge>}
          </h3>
          {isSingle && (
            <div className="ml-auto flex items-center gap-3 text-xs">
              {end(first, 0)}
              {isLinked && (
                <Link
                  to="/inbox/$key"
                  params={{ key: keyOf(first) }}
                  className="text-accent underline"
                  aria-label={`Open request ${firstNumber ?? 1}`}
                >
                  Open
                </Link>
              )}
            </div>
          )}
        </div>
        {first.description !== "" && (
          <p className="text-soft">
            <Block text={first.description} />
          </p>
        )}
        <p className="text-soft">
          Requested by{" "}
          <span className="font-medium text-ink">
            <Line text={agent} />
          </span>
        </p>
      </header>
      <Warnings rows={[...common, ...values.flat()]} />
      <Facts>
        {common.map((row) => (
          <Fact key={keyOfRow(row)} name={<Name row={row} />}>
            <RowValue row={row} />
          </Fact>
        ))}
        <Fact name="Risk">{RISK[risk] ?? risk}</Fact>
        {first.shown == null && <Fact name="Undo">{first.undo == null ? NO_UNDO : <Line text={first.undo} />}</Fact>}
      </Facts>
      {!isSingle && (
        <div className="overflow-hidden rounded-xl border border-edge bg-card">
          <table className={`w-full text-left ${isTable ? "max-md:block" : "block"}`}>
            <thead className={isTable ? "max-md:hidden" : "hidden"}>
              <tr className="border-b border-edge text-xs text-faint">
                <th scope="col" className="w-10 px-4 py-2 font-medium">
                  #
                </th>
                {(values[0] ?? []).map((row) => (
                  <th key={keyOfRow(row)} scope="col" className="px-3 py-2 font-medium wrap-anywhere">
                    <Name row={row} />
                  </th>
                ))}
                {differing.length === 0 && (
                  <th scope="col" className="px-3 py-2 font-medium">
                    {" "}
                    Parameters{" "}
                  </th>
                )}
                <th scope="col" className="px-4 py-2 text-right font-medium">
                  <span className="sr-only">status</span>
                </th>
              </tr>
            </thead>
            <tbody className={`divide-y divide-edge ${isTable ? "max-md:block" : "block"}`}>
              {items.map((item, at) => (
                <tr key={keyOf(item)} className={`align-top ${isTable ? "max-md:block max-md:py-2" : "block py-2"}`}>
                  <td
                    className={`px-4 py-2 tabular-nums text-faint
                      ${isTable ? "max-md:block max-md:py-0.5" : "block py-0.5"}`}
                  >
                    {isLinked ? (
                      <Link
                        to="/inbox/$key"
                        params={{ key: keyOf(item) }}
                        className="text-accent underline"
                        aria-label={`Request ${numberAt(item, at)}`}
                      >
                        {numberAt(item, at)}
                      </Link>
                    ) : (
                      numberAt(item, at)
                    )}
                  </td>
                  {(values[at] ?? []).map((row) => (
                    <Cell key={keyOfRow(row)} row={row} isTable={isTable} />
                  ))}
                  {differing.length === 0 && (
                    <td className={`px-3 py-2 text-soft ${isTable ? "max-md:block max-md:px-4 max-md:py-0.5" : ""}`}>
                      {common.length === 0 ? "none" : "same as above"}
                    </td>
                  )}
                  <td
                    className={`px-4 py-2 text-right text-xs
                      ${isTable ? "max-md:block max-md:py-0.5 max-md:text-left" : "block py-0.5 text-left"}`}
                  >
                    {end(item, at)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Cell({ row, isTable }: { row: ValueRow; isTable: boolean }) {
  return (
    <td
      className={
        isTable
          ? "px-3 py-2 max-md:grid max-md:grid-cols-[7rem_minmax(0,1fr)] max-md:gap-x-3 max-md:px-4 max-md:py-0.5"
          : "grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 px-4 py-0.5 md:grid-cols-[11rem_minmax(0,1fr)]"
      }
    >
      <span className={`text-xs wrap-anywhere text-faint ${isTable ? "md:hidden" : ""}`}>
        <Name row={row} />
      </span>
      <RowValue row={row} />
    </td>
  );
}

const keyOfRow = (row: ValueRow) => `${row.isLabel === true ? "label" : "name"} ${row.path}`;

function Name({ row }: { row: ValueRow }) {
  if (row.isLabel) return row.path;
  return (
    <code className="font-mono text-[0.8125rem]">
      <Line text={row.path} />
    </code>
  );
}

/** Facts of the document have several lines. Texts by others are quoted like parameters. */
function RowValue({ row }: { row: ValueRow }) {
  if (row.isLabel && row.type !== "text") return <Block text={row.value} />;
  return <Value row={row} />;
}

function RemainingVotes({ item: { invocation, votes, votes_needed } }: { item: Approval }) {
  return (
    <span className="inline-flex items-center gap-2">
      {votes_needed > 1 && (
        <Badge>
          {votes.length}/{votes_needed}
        </Badge>
      )}
      {invocation.expires_at != null && <Countdown until={invocation.expires_at} />}
    </span>
  );
}
