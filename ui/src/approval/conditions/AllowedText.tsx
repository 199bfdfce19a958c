// What an approval with a grant or with "always" allows from now on, in one sentence.
import { Fragment } from "react";
import { number } from "../../text/number";
import { Line } from "../../text/Visible";
import { calls, durationText } from "../limits";
import { ConditionText } from "./Conditions";
import type { Condition } from "./filter";

export interface Allowed {
  action: string;
  /** Whether a run of an automation asks. A grant or rule is then for its step, as it is now. */
  isRun: boolean;
  /** The limits of a grant, as typed; null for a rule. */
  limits: { count: string; time: string; scope: "session" | "org" } | null;
  conditions: readonly Condition[];
}

/** Draws nothing while the limits are invalid. */
export function AllowedText({ action, isRun, limits, conditions }: Allowed) {
  const begin = beginning(limits);
  if (begin === null) return null;
  const reach = reachText(isRun, limits);
  return (
    <p className="wrap-anywhere">
      {begin}{" "}
      <code className="font-mono text-[0.8125rem]">
        <Line text={action} />
      </code>{" "}
      runs without asking
      {reach !== null && `, ${reach}`}
      {conditions.length === 0 ? ", whatever its parameters" : `${reach === null ? "" : ","} where `}
      {conditions.map((condition, index) => (
        <Fragment key={condition.name}>
          {index > 0 && " and "}
          <ConditionText condition={condition} />
        </Fragment>
      ))}
      .
    </p>
  );
}

function beginning(limits: Allowed["limits"]): string | null {
  if (limits === null) return "From now on";
  const [count, time] = [calls(limits.count), durationText(limits.time)];
  if (count === null || time === null) return null;
  return `For the next ${count === 1 ? "call" : `${number(count)} calls`} within ${time}`;
}

/** Where it is allowed; null for a rule of the whole organization. */
function reachText(isRun: boolean, limits: Allowed["limits"]): string | null {
  if (limits?.scope === "org") return "in every session";
  if (isRun) return "in this step of this automation";
  return limits === null ? null : "in this session";
}
