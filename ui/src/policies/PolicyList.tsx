// The policies as a list, and how one is created.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useNames } from "../api/permissions";
import { useNow } from "../text/now";
import { number } from "../text/number";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { Empty, Loading, ProblemCard } from "../ui/Bits";
import { buttonClass } from "../ui/Button";
import { PolicyMode, Rows, StateBadge } from "./Badges";
import { policies } from "./queries";
import type { PolicyView } from "./types";
import { valueText } from "./words";

export function PolicyList() {
  const { data, error } = useQuery(policies);
  if (data === undefined) return error === null ? <Loading what="policies" /> : <ProblemCard error={error} />;
  if (data.length === 0)
    return (
      <Empty icon="policy" title="No policies">
        <p>
          A policy denies a call, or asks a person, depending on its parameters, the time, or what happened before. It
          never allows more than the rules do.
        </p>
        <p className="flex flex-wrap justify-center gap-2 pt-2">
          <Link to="/policy/starters" className={buttonClass("primary")}>
            Choose a starter
          </Link>
          <Link to="/policy/new" className={buttonClass("plain")}>
            Write a policy
          </Link>
        </p>
      </Empty>
    );
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-full md:basis-64 text-soft">
          A policy denies a call, or asks a person. The strictest policy that holds decides; none of them allows more
          than the rules do.
        </p>
        <Link to="/policy/starters" className={buttonClass("plain")}>
          Starters
        </Link>
        <Link to="/policy/new" className={buttonClass("primary")}>
          New policy
        </Link>
      </div>
      <Rows name="Policies">
        {data.map((policy) => (
          <Row key={policy.id} policy={policy} />
        ))}
      </Rows>
    </div>
  );
}

function Row({ policy }: { policy: PolicyView }) {
  const now = useNow();
  const nameOf = useNames();
  return (
    <li className="space-y-1 px-4 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Link
          to="/policy/policies/$policy"
          params={{ policy: policy.name }}
          className="font-mono font-medium wrap-anywhere text-accent hover:underline"
        >
          <Line text={policy.name} />
        </Link>
        <PolicyMode mode={policy.mode} approvers={policy.approvers} />
        <StateBadge state={policy.state} />
      </p>
      <p className="text-soft">
        {policy.why === "" ? <span className="text-faint">no reason given</span> : <Line text={policy.why} />}
      </p>
      <p className="text-xs text-faint">
        {policy.facts.length > 0 && (
          <>
            Reads{" "}
            {policy.facts.map((fact, index) => (
              <span key={fact}>
                {index > 0 && ", "}
                <Link to="/policy" hash="facts" className="text-soft underline">
                  <Line text={fact} />
                </Link>
                {Object.hasOwn(policy.limits, fact) && ` (limit ${valueText(policy.limits[fact] ?? 0)})`}
              </span>
            ))}
            {" · "}
          </>
        )}
        Version {number(policy.version)} · changed by <Line text={policy.set_by_name ?? nameOf(policy.set_by)} />{" "}
        {ago(policy.updated_at, now)}
        {policy.observing_since != null && (
          <>
            {" · "}
            <Link to="/policy" hash="observing" className="text-soft underline">
              observing since {moment(policy.observing_since)}
            </Link>
          </>
        )}
      </p>
    </li>
  );
}
