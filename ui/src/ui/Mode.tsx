// What is decided about an action: a colour, a picture and a word, so that none is needed to read the others.
import { Badge, type Tone } from "./Bits";
import { Icon, type IconName } from "./icons";

export const MODES: Record<string, { word: string; says: string; tone: Tone; icon: IconName }> = {
  allow: { word: "allowed", says: "is done without asking", tone: "good", icon: "check" },
  require_approval: { word: "asks", says: "waits for a person's yes", tone: "warn", icon: "clock" },
  deny: { word: "denied", says: "is refused", tone: "bad", icon: "close" },
};

export function ModeBadge({ mode }: { mode: string }) {
  const known = MODES[mode];
  return (
    <Badge tone={known?.tone ?? "plain"} title={known?.says ?? ""}>
      {known !== undefined && <Icon name={known.icon} className="size-3" />}
      {known?.word ?? mode}
    </Badge>
  );
}

export const EFFECTS: Record<string, string> = {
  read: "changes nothing; may be repeated",
  keyed: "a repeat is the same effect",
  checkable: "looked up before it is repeated",
  once: "never repeated",
};
