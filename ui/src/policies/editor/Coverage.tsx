// What the checked policy covers: mode, actions, facts, and the cases with it.
import type { ReactNode } from "react";
import { number } from "../../text/number";
import { Line } from "../../text/Visible";
import { Section } from "../../ui/Section";
import { Code, PolicyMode } from "../Badges";
import { CaseResults } from "../cases/CaseResults";
import type { CheckAnswer, CheckedPolicy, PolicySchema } from "../types";
import { counted } from "../words";

const MOST_SHOWN = 40;

export function Coverage({ answer, schema }: { answer: CheckAnswer | null; schema: PolicySchema | undefined }) {
  const policy = answer?.policies[0];
  if (policy === undefined) return null;
  return (
    <>
      <Section title="Coverage">
        <dl className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
          <Item name="Decision">
            <PolicyMode mode={policy.mode} approvers={policy.approvers} />
          </Item>
          <Item name="Actions">
            <ActionNames policy={policy} schema={schema} />
          </Item>
          {policy.facts.length > 0 && (
            <Item name="Facts">
              {policy.facts.map((name) => (
                <p key={name} className="wrap-anywhere">
                  <Code text={name} />{" "}
                  <span className="text-xs text-faint">
                    <Line text={schema?.facts.find((each) => each.path === name)?.words ?? ""} />
                  </span>
                </p>
              ))}
            </Item>
          )}
          <Item name="Depends on">
            {policy.reads.includes("input") || policy.reads.includes("history")
              ? "the parameters of each call, or what happened before"
              : "the session, the action and the time only"}
          </Item>
        </dl>
      </Section>
      {answer !== null && answer.cases.length > 0 && (
        <Section title="Cases with this text">
          <CaseResults results={answer.cases} />
        </Section>
      )}
    </>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="px-4 py-2">
      <dt className="text-xs text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function ActionNames({ policy, schema }: { policy: CheckedPolicy; schema: PolicySchema | undefined }) {
  const { in_scope: count } = policy;
  if (count === 0) return <span className="text-warn">Applies to no action</span>;
  const names = coveredBy(policy, schema);
  return (
    <details>
      <summary className="cursor-pointer">Applies to {counted(count, "action")}</summary>
      <ul className="mt-1 max-h-48 space-y-0.5 overflow-y-auto" tabIndex={0} aria-label="Covered actions">
        {names.slice(0, MOST_SHOWN).map((action) => (
          <li key={action}>
            <Code text={action} />
          </li>
        ))}
        {names.length > MOST_SHOWN && (
          <li className="text-xs text-faint">and {number(names.length - MOST_SHOWN)} more</li>
        )}
      </ul>
    </details>
  );
}

/** The covered actions, or what the policy names, if the page does not know the same actions as the gateway. */
function coveredBy({ actions: named, in_scope }: CheckedPolicy, schema: PolicySchema | undefined): string[] {
  const isNamed = ({ address, groups }: PolicySchema["actions"][number]) =>
    named.length === 0 || named.some((each) => each === address || groups.includes(each));
  const covered = schema?.actions.filter(isNamed).map(({ address }) => address) ?? [];
  return covered.length === in_scope ? covered : named;
}
