// Whether an agent is stopped, by itself or with the whole organization.
import { useQuery } from "@tanstack/react-query";
import { agentTarget, appliedConduct } from "../conduct/conduct";
import { conducts } from "../conduct/queries";
import { ConductBadge } from "../conduct/Words";
import type { Agent } from "./queries";

export function AgentBadge({ agent }: { agent: Agent }) {
  // Events keep this list up to date; the agent's own field may be a few seconds old.
  const all = useQuery(conducts).data;
  const conduct = all === undefined ? (agent.conduct ?? null) : appliedConduct(all, agentTarget(agent.agent));
  return <ConductBadge conduct={conduct} />;
}
