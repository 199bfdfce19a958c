// Modes of a decision as badge, icon and text.
import { Badge, type Tone } from "./Bits";
import { Icon, type IconName } from "./icons";

export const MODES: Record<string, { label: string; description: string; tone: Tone; icon: IconName }> = {
  allow: { label: "allowed", description: "runs without approval", tone: "good", icon: "check" },
  require_approval: { label: "needs approval", description: "waits for approval", tone: "warn", icon: "clock" },
  deny: { label: "denied", description: "is denied", tone: "bad", icon: "close" },
};

export function ModeBadge({ mode }: { mode: string }) {
  const known = MODES[mode];
  return (
    <Badge tone={known?.tone ?? "plain"} title={known?.description ?? ""}>
      {known !== undefined && <Icon name={known.icon} className="size-3" />}
      {known?.label ?? mode}
    </Badge>
  );
}

export const EFFECTS: Record<string, string> = {
  read: "changes nothing, safe to repeat",
  keyed: "repeating has no further effect",
  checkable: "checked before it is repeated",
  once: "never repeated",
};

/** Text colors of the modes. */
export const INK: Record<string, string> = {
  allow: "text-good",
  require_approval: "text-warn",
  deny: "text-bad",
};
