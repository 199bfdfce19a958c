// Denies tools, with a reason.
import { type FormEvent, useState } from "react";
import { Line } from "../../text/Visible";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import type { Tool } from "../queries";

export function DenyDialog({
  tools,
  onDeny,
  onClose,
}: {
  tools: Tool[];
  onDeny: (note: string) => void;
  onClose: () => void;
}) {
  const [note, setNote] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDeny(note);
  };
  return (
    <Dialog
      title={tools.length === 1 ? "Deny this tool?" : `Deny ${tools.length} tools?`}
      description={tools.slice(0, 8).map((tool, index) => (
        <span key={tool.tool}>
          {index > 0 && ", "}
          <Line text={tool.tool} />
        </span>
      ))}
      isOpen
      onClose={onClose}
    >
      <form onSubmit={submit} className="space-y-4">
        <p>Each tool gets a rule that denies every call. Delete the rule on the policy page to undo this.</p>
        <label className="flex flex-col gap-1">
          <span className="text-xs font-medium text-faint">Reason</span>
          <textarea
            className="input min-h-20"
            maxLength={500}
            value={note}
            autoFocus
            onChange={(event) => setNote(event.target.value)}
          />
        </label>
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" variant="bad">
            Deny
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
