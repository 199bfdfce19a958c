// One action of a source: what is decided about it and how it did; opened, all there is to know.
import { useState } from "react";
import { Fact, Facts } from "../inbox/Section";
import { inWords } from "../text/reasons";
import { Block, Line } from "../text/Visible";
import { Badge, RISK, RiskBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { EFFECTS, ModeBadge, MODES } from "../ui/Mode";
import { Parameters } from "./Parameters";
import type { SourceAction, Tool } from "./queries";
import { Reclassify } from "./Reclassify";
import { Latency, UsageBar } from "./Usage";

interface Props {
  source: string;
  action: SourceAction;
  /** As its server describes it, for an admin who looks at a connector. */
  tool: Tool | null;
  isOpen: boolean;
}

const DRIFT: Record<string, string> = {
  changed: "it is not what was accepted; every call waits for a person",
  never_reviewed: "nobody has reviewed it; every call waits for a person",
};

export function ActionRow({ source, action, tool, isOpen }: Props) {
  const [isAsked, setAsked] = useState(false);
  const [isDrawn, setDrawn] = useState(isOpen);
  const name = action.action.slice(source.length + 1);
  return (
    <li id={action.action} className="scroll-mt-4">
      <details open={isOpen} onToggle={(event) => setDrawn(event.currentTarget.open)}>
        <summary className="grid cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 hover:bg-sunk md:grid-cols-[minmax(0,1fr)_8rem_8.5rem_10.5rem] md:gap-x-6">
          <span className="min-w-0">
            <span className="block truncate font-medium"><Line text={name} /></span>
            <span className="block truncate text-xs text-faint"><Line text={action.description} /></span>
          </span>
          <span className="hidden md:block"><UsageBar usage={action.usage} isShort /></span>
          <span className="hidden md:block"><Latency usage={action.usage} /></span>
          <span className="flex justify-end gap-1.5">
            {action.drift != null && <Badge tone="warn">drift</Badge>}
            <RiskBadge risk={action.risk} />
            <ModeBadge mode={action.mode} />
          </span>
        </summary>
        {isDrawn && <Whole action={action} tool={tool} onReclassify={() => setAsked(true)} />}
      </details>
      {tool !== null && isAsked && <Reclassify source={source} tool={tool} onClose={() => setAsked(false)} />}
    </li>
  );
}

function Whole({ action, tool, onReclassify }: Pick<Props, "action" | "tool"> & { onReclassify: () => void }) {
  return (
    <div className="space-y-4 bg-page px-4 py-4">
      <p><Block text={action.description} /></p>
      <Facts>
        <Fact name="decided"><span className="wrap-anywhere"><ModeBadge mode={action.mode} /> {MODES[action.mode]?.says}: <Line text={inWords(action.reason)} /></span></Fact>
        <Fact name="risk"><RiskBadge risk={action.risk} /> {RISK[action.risk]}</Fact>
        <Fact name="repeats"><code className="font-mono text-[0.8125rem]">{action.effect}</code> {EFFECTS[action.effect]}</Fact>
        <Fact name="undo">{action.undo == null ? <span className="text-faint">it cannot be undone from here</span> : <Line text={action.undo} />}</Fact>
        {action.drift != null && <Fact name="drift">{DRIFT[action.drift] ?? <Line text={action.drift} />}</Fact>}
        {tool !== null && tool.note !== undefined && tool.note !== "" && <Fact name="note"><Line text={tool.note} /></Fact>}
      </Facts>
      <div className="grid grid-cols-2 gap-6 md:hidden"><UsageBar usage={action.usage} /><Latency usage={action.usage} /></div>
      <section className="space-y-2">
        <h3 className="eyebrow">What it takes</h3>
        <Parameters schema={action.input_schema} />
      </section>
      {tool !== null && (tool.state === "reviewed" || tool.state === "reworded") && <Button onClick={onReclassify}>Classify anew</Button>}
    </div>
  );
}
