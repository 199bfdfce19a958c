// The tools that wait for a review: each as its server describes it, or beside what was accepted; one at a time or several.
import { memo, useState } from "react";
import { notify } from "../frame/notices";
import { Warnings } from "../inbox/Params";
import { rows } from "../text/rows";
import { plain } from "../text/visible";
import { Block, Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { DenyDialog } from "./DenyDialog";
import { Drift } from "./Drift";
import { Parameters } from "./Parameters";
import type { Tool } from "./queries";
import { firstWord, lookedAt, sendReviews, told, type Word } from "./review";
import { WordFields } from "./Word";

/** Nobody reviews more at once. */
const PAGE = 40;

export function ReviewList({ source, tools: all }: { source: string; tools: Tool[] }) {
  const [most, setMost] = useState(PAGE);
  const tools = all.slice(0, most);
  const [words, setWords] = useState<ReadonlyMap<string, Word>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [denying, setDenying] = useState<Tool[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const picked = tools.filter((tool) => chosen.has(lookedAt(tool)));
  const wordOf = (tool: Tool): Word => words.get(lookedAt(tool)) ?? firstWord(tool);

  const send = async (which: Tool[], verdict: "accept" | "deny", note: string) => {
    setBusy(true);
    setDenying(null);
    const sent = await sendReviews(source, which.map((tool) => ({ tool, word: wordOf(tool) })), verdict, note);
    setBusy(false);
    setChosen(new Set());
    const { tone, title, text } = told(sent, verdict);
    notify(tone, title, text);
  };
  const choose = (tool: Tool, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(lookedAt(tool));
    else next.delete(lookedAt(tool));
    setChosen(next);
  };

  return (
    <div className="space-y-3">
      {tools.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 max-md:[&>button]:flex-1">
          <label className="flex min-h-11 flex-1 cursor-pointer max-md:basis-full items-center gap-2.5 md:min-h-9">
            <input type="checkbox" className="size-4 accent-accent" checked={picked.length === tools.length} onChange={(event) => setChosen(new Set(event.target.checked ? tools.map(lookedAt) : []))} />
            {picked.length === 0 ? `Choose all ${tools.length}` : `${picked.length} of ${tools.length} chosen`}
          </label>
          <Button look="bad" disabled={isBusy || picked.length === 0} onClick={() => setDenying(picked)}>Deny chosen</Button>
          <Button look="primary" disabled={isBusy || picked.length === 0} onClick={() => void send(picked, "accept", "")}>Accept chosen</Button>
        </div>
      )}
      <ul aria-label="Tools to review" className="space-y-3">
        {tools.map((tool) => (
          <li key={lookedAt(tool)} className="space-y-3 rounded-xl border border-edge bg-card p-4">
            <div className="flex items-center gap-2.5">
              {tools.length > 1 && <input type="checkbox" className="size-4 accent-accent" aria-label={`Choose ${plain(tool.tool)}`} checked={chosen.has(lookedAt(tool))} onChange={(event) => choose(tool, event.target.checked)} />}
              <h3 className="min-w-0 flex-1 truncate font-semibold"><Line text={tool.tool} /></h3>
              <Badge tone={tool.state === "changed" ? "bad" : "warn"}>{tool.state}</Badge>
            </div>
            {tool.reviewed == null ? <Described tool={tool} /> : <Drift tool={tool} />}
            <WordFields of={plain(tool.tool)} word={wordOf(tool)} why={firstWord(tool).why} onChange={(next) => setWords(new Map(words).set(lookedAt(tool), next))} />
            <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
              <Button disabled={isBusy} onClick={() => void send([tool], "accept", "")}>Accept<span className="sr-only"> {plain(tool.tool)}</span></Button>
              <Button look="bad" disabled={isBusy} onClick={() => setDenying([tool])}>Deny<span className="sr-only"> {plain(tool.tool)}</span></Button>
            </div>
          </li>
        ))}
      </ul>
      {all.length > most && <p className="text-center"><Button onClick={() => setMost(most + PAGE)}>Show more of {all.length - most}</Button></p>}
      {denying !== null && <DenyDialog tools={denying} onDeny={(note) => void send(denying, "deny", note)} onClose={() => setDenying(null)} />}
    </div>
  );
}

/** A tool that nobody has accepted yet, in its server's own words. */
const Described = memo(function Described({ tool }: { tool: Tool }) {
  const seen = tool.seen as { description?: string; input_schema?: unknown };
  return (
    <div className="space-y-2">
      <Warnings rows={rows(tool.seen)} />
      <blockquote className="border-l-2 border-edge pl-3">
        {(seen.description ?? "") === "" ? <span className="text-faint">Its server says nothing about it.</span> : <Block text={seen.description ?? ""} />}
      </blockquote>
      <p className="text-xs text-faint">These are its server's words; agents read them only once you accept.</p>
      <details open>
        <summary className="cursor-pointer py-1 text-soft">What it takes</summary>
        <div className="mt-1"><Parameters schema={seen.input_schema} /></div>
      </details>
    </div>
  );
});
