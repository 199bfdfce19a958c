// Another risk or effect class for a tool that was accepted, with a note that says why.
import { type FormEvent, useState } from "react";
import { notify } from "../frame/notices";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import type { Tool } from "./queries";
import { sendReviews, told, type Word } from "./review";
import { WordFields } from "./Word";

export function Reclassify({ source, tool, onClose }: { source: string; tool: Tool; onClose: () => void }) {
  const [word, setWord] = useState<Word>({ risk: tool.risk, effect: tool.effect });
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { tone, title, text } = told(await sendReviews(source, [{ tool, word }], "accept", note), "accept");
    notify(tone, title, text);
    onClose();
  };
  return (
    <Dialog title="Classify anew" about={<Line text={tool.action ?? tool.tool} />} isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <p>It is accepted as it is now, with what you say here. Risk decides what holds without a rule, and how far a rule can loosen it.</p>
        <WordFields of={plain(tool.tool)} word={word} why={`now ${tool.risk}`} onChange={setWord} />
        <label className="flex flex-col gap-1">
          <span className="text-xs font-medium text-faint">why; it is kept with your name</span>
          <textarea className="input min-h-20" maxLength={500} required value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" look="primary" disabled={isBusy || note.trim() === ""}>Keep this</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </form>
    </Dialog>
  );
}
