// The choice of what to stop: the whole organization, or one agent, source, space or automation.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agents } from "../agents/queries";
import { api, take } from "../api/client";
import { all } from "../api/queries";
import { sources } from "../catalog/queries";
import { spaces } from "../settings/queries";
import { plain } from "../text/visible";
import { ProblemCard } from "../ui/Bits";
import { Field } from "../ui/Form";
import { agentTarget, automationTarget, ORG, sourceTarget, spaceTarget, type Target } from "./conduct";

const SCOPES = [
  ["org", "The whole organization"],
  ["agent", "An agent"],
  ["source", "A source"],
  ["space", "A space"],
  ["automation", "An automation"],
] as const;
type Scope = (typeof SCOPES)[number][0];

const automationNames = queryOptions({
  queryKey: ["automations", "names"],
  queryFn: ({ signal }) => all((query) => take(api.GET("/v1/automations", { params: { query }, signal }))),
  staleTime: 60_000,
});

export function TargetChoice({ onChange }: { onChange: (next: Target | null) => void }) {
  const [scope, setScope] = useState<Scope>("org");
  const [subject, setSubject] = useState("");
  const { targets, error } = useTargets(scope);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field name="What to stop">
        <select
          className="input"
          value={scope}
          onChange={(event) => {
            const next = event.target.value as Scope;
            setScope(next);
            setSubject("");
            onChange(next === "org" ? ORG : null);
          }}
        >
          {SCOPES.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      {scope !== "org" && error === null && (
        <Field name="Which one">
          <select
            className="input"
            value={subject}
            onChange={(event) => {
              setSubject(event.target.value);
              onChange(targets?.find((each) => each.subject === event.target.value) ?? null);
            }}
          >
            <option value="">
              {targets === undefined ? "Loading …" : targets.length === 0 ? "None found" : "Choose"}
            </option>
            {targets?.map((each) => (
              <option key={each.subject} value={each.subject}>
                {plain(each.name)}
              </option>
            ))}
          </select>
        </Field>
      )}
      {scope !== "org" && error !== null && <ProblemCard error={error} />}
    </div>
  );
}

/** What can be stopped in this scope; undefined while loading. */
function useTargets(scope: Scope): { targets: Target[] | undefined; error: Error | null } {
  const agent = useQuery({ ...agents, enabled: scope === "agent" });
  const source = useQuery({ ...sources, enabled: scope === "source" });
  const space = useQuery({ ...spaces, enabled: scope === "space" });
  const automation = useQuery({ ...automationNames, enabled: scope === "automation" });
  switch (scope) {
    case "org":
      return { targets: [ORG], error: null };
    case "agent":
      return { targets: agent.data?.map((each) => agentTarget(each.agent)), error: agent.error };
    case "source":
      return { targets: source.data?.items.map((each) => sourceTarget(each.source)), error: source.error };
    case "space":
      return { targets: space.data?.map(spaceTarget), error: space.error };
    case "automation":
      return { targets: automation.data?.map(automationTarget), error: automation.error };
  }
}
