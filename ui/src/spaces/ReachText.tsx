// What a member may use, as badges. Each capability has its own, so that none can look like two.
import { capabilityText } from "../agents/capabilities";
import { isAtLeast } from "../api/role";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { EVERYTHING } from "./reach";

export function ReachText({ role, capabilities }: { role: string; capabilities: readonly string[] }) {
  // Admins and owners use everything, whatever is listed for them.
  if (isAtLeast(role, "admin")) return <Badge>everything, as {role}</Badge>;
  if (capabilities.includes(EVERYTHING)) return <Badge>everything</Badge>;
  if (capabilities.length === 0) return <Badge>nothing</Badge>;
  return capabilities.map((each, index) => (
    <span key={index}>
      {index > 0 && " "}
      <code
        title={plain(capabilityText(each))}
        className="rounded-md bg-sunk px-1.5 py-px font-mono text-xs text-soft wrap-anywhere"
      >
        <Line text={each} />
      </code>
    </span>
  ));
}
