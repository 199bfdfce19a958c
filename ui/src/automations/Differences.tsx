// The differences of two definitions as a table.
import { Value } from "../text/Params";
import type { ValueRow } from "../text/rows";
import { Line } from "../text/Visible";
import type { Fields } from "./definition";
import { differences } from "./diff";

export function Differences({
  before,
  after,
  names = ["before", "after"],
}: {
  before: Fields;
  after: Fields;
  names?: [string, string];
}) {
  const found = differences(before, after);
  if (found.length === 0) return <p className="text-soft">No differences.</p>;
  return (
    <table className="w-full table-fixed border-collapse overflow-hidden rounded-xl bg-card text-left max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-edge text-xs text-faint [&>th]:px-3 [&>th]:py-2 [&>th]:font-medium">
          <th scope="col" className="w-56">
            {" "}
            Field{" "}
          </th>
          <th scope="col">{names[0]}</th>
          <th scope="col">{names[1]}</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {found.map(({ path, before: was, after: is }) => (
          <tr key={path} className="border-b border-edge align-top last:border-0 max-md:block max-md:py-2">
            <th
              scope="row"
              className={`px-3 py-2 font-mono text-[0.8125rem] font-normal wrap-anywhere text-faint max-md:block
                max-md:py-1`}
            >
              <Line text={path} />
            </th>
            <Side row={was} tone="bg-bad-wash" sign="−" />
            <Side row={is} tone="bg-good-wash" sign="+" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ row, tone, sign }: { row: ValueRow | null; tone: string; sign: string }) {
  return (
    <td className={`px-3 py-2 wrap-anywhere max-md:block ${row === null ? "max-md:hidden" : tone}`}>
      {row === null ? (
        <span className="text-faint">none</span>
      ) : (
        <>
          <span className="mr-1.5 font-mono text-faint select-none md:hidden" aria-hidden="true">
            {sign}
          </span>
          <Value row={row} />
        </>
      )}
    </td>
  );
}
