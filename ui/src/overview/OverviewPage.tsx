// Volume, approvals, success, drift and answers over time. Numbers of invocations link to the activity they count.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useSpace } from "../frame/space";
import { costText } from "../models/price";
import { number, percent } from "../text/number";
import { span, took } from "../text/time";
import { Line } from "../text/Visible";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import { Tile } from "../ui/Tile";
import { Charts } from "./Charts";
import { People } from "./People";
import { type Overview, overview } from "./queries";
import { Ranking } from "./Ranking";
import { Suggestions } from "./Suggestions";
import { counted, RANGES, type RangeId, rangeOf, success } from "./series";

export function OverviewPage() {
  const { range: named } = useSearch({ strict: false }) as { range?: unknown };
  const range = rangeOf(named);
  const space = useSpace();
  const { data, error, isPlaceholderData } = useQuery(overview(range, space));
  const label = RANGES.find((each) => each.id === range)?.label;
  return (
    <>
      <PageHead
        title="Overview"
        about={
          <>
            <span className="max-md:hidden">{label}</span>
            {space !== null && (
              <>
                {" "}
                in <Line text={space} />
              </>
            )}
          </>
        }
      >
        <Ranges chosen={range} />
      </PageHead>
      {data === undefined &&
        (error === null ? (
          <Loading what="the overview" />
        ) : (
          <div className="p-4">
            <ProblemCard error={error} />
          </div>
        ))}
      {data !== undefined && (
        <div
          className={`mx-auto w-full max-w-6xl space-y-4 p-4 md:p-6 ${isPlaceholderData ? "opacity-60" : ""}`}
          aria-busy={isPlaceholderData}
        >
          <Tiles view={data} space={space} />
          {data.totals.calls === 0 && data.totals.runs_succeeded + data.totals.runs_failed === 0 ? (
            <NoInvocations label={label ?? ""} />
          ) : (
            <>
              <Charts view={data} space={space} />
              <div className="grid gap-4 lg:grid-cols-2">
                <Sources view={data} space={space} />
                <Agents view={data} space={space} />
              </div>
            </>
          )}
          <div className="grid items-start gap-4 empty:hidden lg:grid-cols-2">
            <People people={data.people ?? []} />
            <Suggestions suggestions={data.suggestions ?? []} />
          </div>
        </div>
      )}
    </>
  );
}

function Ranges({ chosen }: { chosen: RangeId }) {
  const navigate = useNavigate();
  return (
    <div role="radiogroup" aria-label="Time" className="flex rounded-lg border border-strong p-0.5">
      {RANGES.map(({ id, name, label }) => (
        <label
          key={id}
          title={label}
          className={`cursor-pointer rounded-md px-3 py-2 text-soft has-checked:bg-accent has-checked:font-medium
            has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent md:py-1`}
        >
          <input
            type="radio"
            name="range"
            className="sr-only"
            checked={chosen === id}
            onChange={() => void navigate({ to: "/overview", search: { range: id } as never, replace: true })}
          />
          {name}
        </label>
      ))}
    </div>
  );
}

function Tiles({ view, space }: { view: Overview; space: string | null }) {
  const { totals } = view;
  const [p50, p95] = [totals.approval_p50_s, totals.approval_p95_s];
  const { runs_succeeded, runs_failed, cost_usd: cost } = totals;
  const runs = runs_succeeded + runs_failed;
  return (
    <ul aria-label="Totals" className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Tile
        name="Invocations"
        value={number(totals.calls)}
        more={`${number(totals.asked)} needed approval`}
        link={(inner, look) => (
          <Link to="/activity" search={counted(view, space)} className={look}>
            {inner}
          </Link>
        )}
      />
      <Tile
        name="Success rate"
        value={percent(success(totals))}
        more={`${number(totals.failed + totals.reverted)} failed, ${number(totals.unknown)} unknown`}
        link={(inner, look) => (
          <Link to="/activity" search={counted(view, space, ["failed", "reverted", "unknown"])} className={look}>
            {inner}
          </Link>
        )}
      />
      <Tile
        name="Pending"
        value={number(view.waiting)}
        more="waiting for approval"
        link={(inner, look) => (
          <Link to="/inbox" className={look}>
            {inner}
          </Link>
        )}
      />
      <Tile
        name="Time to answer"
        value={p50 == null ? "–" : span(p50)}
        more={p95 == null ? "no answers yet" : `median · p95 ${span(p95)}`}
        link={(inner, look) => (
          <a href="#answers" className={look}>
            {inner}
          </a>
        )}
      />
      <Tile
        name="Runs"
        value={number(runs)}
        more={`${number(runs_failed)} failed${cost > 0 ? ` · cost ${costText(cost)}` : ""}`}
        link={(inner, look) => (
          <Link to="/runs" className={look}>
            {inner}
          </Link>
        )}
      />
      <Tile
        name="Drift"
        value={number(totals.drift)}
        more="new or changed tools"
        link={(inner, look) => (
          <Link to="/catalog" className={look}>
            {inner}
          </Link>
        )}
      />
    </ul>
  );
}

function NoInvocations({ label }: { label: string }) {
  return (
    <Empty icon="overview" title="No activity">
      <p>No invocations in the {label.toLowerCase()}.</p>
      <pre
        className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs leading-5
        whitespace-pre-wrap`}
      >
        countersign actions run linear.list_issues
      </pre>
    </Empty>
  );
}

function Sources({ view, space }: { view: Overview; space: string | null }) {
  return (
    <Ranking title="Sources" columns={["invocations", "failed", "median"]}>
      {view.sources.map((each) => (
        <tr key={each.source} className="border-t border-edge">
          <th scope="row" className="max-w-0 truncate px-4 py-2 text-left font-medium">
            <Line text={each.source} />
          </th>
          <td className="px-2 text-right">
            <Link
              to="/activity"
              search={{ ...counted(view, space), source: each.source }}
              className="text-accent hover:underline"
            >
              {number(each.calls)}{" "}
            </Link>
          </td>
          <td className="px-2 text-right">
            {each.failed === 0 ? (
              "0"
            ) : (
              <Link
                to="/activity"
                search={{ ...counted(view, space, ["failed", "reverted", "unknown"]), source: each.source }}
                className="text-accent hover:underline"
              >
                {number(each.failed)}{" "}
              </Link>
            )}
          </td>
          <td className="px-4 text-right text-soft">{each.p50_ms == null ? "–" : took(each.p50_ms)}</td>
        </tr>
      ))}
    </Ranking>
  );
}

function Agents({ view, space }: { view: Overview; space: string | null }) {
  return (
    <Ranking title="Agents" columns={["invocations"]}>
      {view.agents.map((each) => (
        <tr key={each.agent} className="border-t border-edge">
          <th scope="row" className="max-w-0 truncate px-4 py-2 text-left font-medium">
            <Link to="/agents/$agent" params={{ agent: each.agent }} className="hover:underline">
              <Line text={each.agent} />
            </Link>
          </th>
          <td className="px-4 text-right">
            <Link
              to="/activity"
              search={{ ...counted(view, space), agent: each.agent }}
              className="text-accent hover:underline"
            >
              {number(each.calls)}{" "}
            </Link>
          </td>
        </tr>
      ))}
    </Ranking>
  );
}
