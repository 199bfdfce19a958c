// Changes the classification of an accepted tool, with a reason.
import { type FormEvent, useState } from "react";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import type { Tool } from "../queries";
import { ClassificationFields } from "./ClassificationFields";
import { type Classification, reviewMessage, sendReviews } from "./review";

export function Reclassify({ source, tool, onClose }: { source: string; tool: Tool; onClose: () => void }) {
  const [classification, setClassification] = useState<Classification>({ risk: tool.risk, effect: tool.effect });
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const message = reviewMessage(await sendReviews(source, [{ tool, classification }], "accept", note), "accept");
    if (message !== null) notify(message.tone, message.title, message.text);
    onClose();
  };
  return (
    <Dialog
      title="Change classification"
      description={<Line text={tool.action ?? tool.tool} />}
      isOpen
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <p>
          The tool is accepted in its current form with this classification. The risk sets the default decision and how
          far a rule can loosen it.
        </p>
        <ClassificationFields
          of={plain(tool.tool)}
          classification={classification}
          why={`currently ${tool.risk}`}
          onChange={setClassification}
        />
        <label className="flex flex-col gap-1">
          <span className="text-xs font-medium text-faint">Reason (stored with your name)</span>
          <textarea
            className="input min-h-20"
            maxLength={500}
            required
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" variant="primary" disabled={isBusy || note.trim() === ""}>
            {" "}
            Save{" "}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
