// One action of a source, with decision, usage and parameters.
import { useState } from "react";
import { dependsOf } from "../policies/explain/decision";
import { listed } from "../policies/words";
import { modeReason } from "../policy/reasons";
import { Block, Line } from "../text/Visible";
import { Badge, RISK, RiskBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { EFFECTS, ModeBadge } from "../ui/Mode";
import { Fact, Facts } from "../ui/Section";
import { Parameters } from "./Parameters";
import type { SourceAction, Tool } from "./queries";
import { Reclassify } from "./review/Reclassify";
import { Latency, UsageBar } from "./Usage";

interface Props {
  source: string;
  action: SourceAction;
  /** The tool of a connector; only for admins. */
  tool: Tool | null;
  isOpen: boolean;
}

const DRIFT: Record<string, string> = {
  changed: "Changed since it was reviewed; every call needs approval",
  never_reviewed: "Not reviewed yet; every call needs approval",
};

export function ActionRow({ source, action, tool, isOpen }: Props) {
  const [isReclassifying, setReclassifying] = useState(false);
  const [isExpanded, setExpanded] = useState(isOpen);
  const name = action.action.slice(source.length + 1);
  return (
    <li id={action.action} className="scroll-mt-4">
      <details open={isOpen} onToggle={(event) => setExpanded(event.currentTarget.open)}>
        <summary
          className={`grid cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3
          hover:bg-sunk md:grid-cols-[minmax(0,1fr)_8.5rem_10.5rem_10.5rem] md:gap-x-6`}
        >
          <span className="min-w-0">
            <span className="block truncate font-medium">
              <Line text={name} />
            </span>
            <span className="block text-xs text-faint max-md:line-clamp-3 md:truncate">
              <Line text={action.description} />
            </span>
          </span>
          <span className="hidden md:block">
            <UsageBar usage={action.usage} isShort />
          </span>
          <span className="hidden md:block">
            <Latency usage={action.usage} />
          </span>
          <span className="flex justify-end gap-1.5">
            {action.drift != null && <Badge tone="warn">drift</Badge>}
            <RiskBadge risk={action.risk} />
            <ModeBadge mode={action.mode} />
          </span>
        </summary>
        {isExpanded && <ActionDetail action={action} tool={tool} onReclassify={() => setReclassifying(true)} />}
      </details>
      {tool !== null && isReclassifying && (
        <Reclassify source={source} tool={tool} onClose={() => setReclassifying(false)} />
      )}
    </li>
  );
}

function ActionDetail({ action, tool, onReclassify }: Pick<Props, "action" | "tool"> & { onReclassify: () => void }) {
  const depends = dependsOf(action);
  return (
    <div className="space-y-4 bg-page px-4 py-4">
      <p>
        <Block text={action.description} />
      </p>
      <Facts>
        <Fact name="Decision">
          <span className="wrap-anywhere">
            <ModeBadge mode={action.mode} /> <Line text={modeReason(action.mode_source, action.reason, action.risk)} />
            {depends.length > 0 && (
              <span className="block text-soft">
                Depends on the parameters: <Line text={listed(depends)} />
              </span>
            )}
          </span>
        </Fact>
        <Fact name="Risk">
          <RiskBadge risk={action.risk} /> {RISK[action.risk]}
        </Fact>
        <Fact name="Retry safety">
          <code className="font-mono text-[0.8125rem]">{action.effect}</code> {EFFECTS[action.effect]}
        </Fact>
        <Fact name="Undo">
          {action.undo == null ? (
            <span className="text-faint">Not possible from here</span>
          ) : (
            <Line text={action.undo} />
          )}
        </Fact>
        {action.drift != null && <Fact name="Drift">{DRIFT[action.drift] ?? <Line text={action.drift} />}</Fact>}
        {tool !== null && tool.note !== undefined && tool.note !== "" && (
          <Fact name="Note">
            <Line text={tool.note} />
          </Fact>
        )}
      </Facts>
      <div className="grid grid-cols-2 gap-6 md:hidden">
        <UsageBar usage={action.usage} />
        <Latency usage={action.usage} />
      </div>
      <section className="space-y-2">
        <h3 className="eyebrow">Parameters</h3>
        <Parameters schema={action.input_schema} />
      </section>
      {tool !== null && (tool.state === "reviewed" || tool.state === "reworded") && (
        <Button onClick={onReclassify}>Change classification</Button>
      )}
    </div>
  );
}
