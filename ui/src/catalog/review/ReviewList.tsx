// Tools to review, one by one or several at once.
import { memo, useState } from "react";
import { notify } from "../../frame/toasts";
import { Warnings } from "../../text/Params";
import { rows } from "../../text/rows";
import { Block, Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Parameters } from "../Parameters";
import type { Tool } from "../queries";
import { ClassificationFields } from "./ClassificationFields";
import { DenyDialog } from "./DenyDialog";
import { Drift } from "./Drift";
import { type Classification, initialClassification, reviewKey, reviewMessage, sendReviews } from "./review";

const PAGE = 40;

export function ReviewList({ source, tools: all }: { source: string; tools: Tool[] }) {
  const [most, setMost] = useState(PAGE);
  const tools = all.slice(0, most);
  const [classifications, setClassifications] = useState<ReadonlyMap<string, Classification>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [denying, setDenying] = useState<Tool[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const picked = tools.filter((tool) => chosen.has(reviewKey(tool)));
  const classificationOf = (tool: Tool): Classification =>
    classifications.get(reviewKey(tool)) ?? initialClassification(tool);

  const send = async (which: Tool[], verdict: "accept" | "deny", note: string) => {
    setBusy(true);
    setDenying(null);
    const sent = await sendReviews(
      source,
      which.map((tool) => ({ tool, classification: classificationOf(tool) })),
      verdict,
      note,
    );
    setBusy(false);
    setChosen(new Set());
    const message = reviewMessage(sent, verdict);
    if (message !== null) notify(message.tone, message.title, message.text);
  };
  const choose = (tool: Tool, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(reviewKey(tool));
    else next.delete(reviewKey(tool));
    setChosen(next);
  };

  return (
    <div className="space-y-3">
      {tools.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 max-md:[&>button]:flex-1">
          <label className="flex min-h-11 flex-1 cursor-pointer max-md:basis-full items-center gap-2.5 md:min-h-9">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={picked.length === tools.length}
              onChange={(event) => setChosen(new Set(event.target.checked ? tools.map(reviewKey) : []))}
            />
            {picked.length === 0 ? `Select all ${tools.length}` : `${picked.length} of ${tools.length} selected`}
          </label>
          <Button variant="bad" disabled={isBusy || picked.length === 0} onClick={() => setDenying(picked)}>
            Deny selected
          </Button>
          <Button
            variant="primary"
            disabled={isBusy || picked.length === 0}
            onClick={() => void send(picked, "accept", "")}
          >
            Accept selected
          </Button>
        </div>
      )}
      <ul aria-label="Tools to review" className="space-y-3">
        {tools.map((tool) => (
          <li key={reviewKey(tool)} className="space-y-3 rounded-xl border border-edge bg-card p-4">
            <div className="flex items-center gap-2.5">
              {tools.length > 1 && (
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  aria-label={`Select ${plain(tool.tool)}`}
                  checked={chosen.has(reviewKey(tool))}
                  onChange={(event) => choose(tool, event.target.checked)}
                />
              )}
              <h3 className="min-w-0 flex-1 truncate font-semibold">
                <Line text={tool.tool} />
              </h3>
              <Badge tone={tool.state === "changed" ? "bad" : "warn"}>{tool.state}</Badge>
            </div>
            {tool.reviewed == null ? <ToolDescription tool={tool} /> : <Drift tool={tool} />}
            <ClassificationFields
              of={plain(tool.tool)}
              classification={classificationOf(tool)}
              why={initialClassification(tool).why}
              onChange={(next) => setClassifications(new Map(classifications).set(reviewKey(tool), next))}
            />
            <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
              <Button disabled={isBusy} onClick={() => void send([tool], "accept", "")}>
                Accept<span className="sr-only"> {plain(tool.tool)}</span>
              </Button>
              <Button variant="bad" disabled={isBusy} onClick={() => setDenying([tool])}>
                Deny<span className="sr-only"> {plain(tool.tool)}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {all.length > most && (
        <p className="text-center">
          <Button onClick={() => setMost(most + PAGE)}>Show more ({all.length - most} left)</Button>
        </p>
      )}
      {denying !== null && (
        <DenyDialog
          tools={denying}
          onDeny={(note) => void send(denying, "deny", note)}
          onClose={() => setDenying(null)}
        />
      )}
    </div>
  );
}

/** A new tool as its server describes it. */
const ToolDescription = memo(function ToolDescription({ tool }: { tool: Tool }) {
  const current = tool.seen as { description?: string; input_schema?: unknown };
  return (
    <div className="space-y-2">
      <Warnings rows={rows(tool.seen)} />
      <blockquote className="border-l-2 border-edge pl-3">
        {(current.description ?? "") === "" ? (
          <span className="text-faint">The server gives no description.</span>
        ) : (
          <Block text={current.description ?? ""} />
        )}
      </blockquote>
      <p className="text-xs text-faint">Text from the server. Agents see it only after you accept the tool.</p>
      <details open>
        <summary className="cursor-pointer py-1 text-soft">Parameters</summary>
        <div className="mt-1">
          <Parameters schema={current.input_schema} />
        </div>
      </details>
    </div>
  );
});
