// Denying tools: what it means, and why, for whoever reads the rule later.
import { type FormEvent, useState } from "react";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import type { Tool } from "./queries";

export function DenyDialog({ tools, onDeny, onClose }: { tools: Tool[]; onDeny: (note: string) => void; onClose: () => void }) {
  const [note, setNote] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDeny(note);
  };
  return (
    <Dialog title={tools.length === 1 ? "Deny this tool?" : `Deny ${tools.length} tools?`} about={tools.slice(0, 8).map((tool, index) => <span key={tool.tool}>{index > 0 && ", "}<Line text={tool.tool} /></span>)} isOpen onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p>A rule is written for each: nobody may call it. Removing the rule on the policy page takes that back.</p>
        <label className="flex flex-col gap-1">
          <span className="text-xs font-medium text-faint">why, for whoever reads the rule</span>
          <textarea className="input min-h-20" maxLength={500} value={note} autoFocus onChange={(event) => setNote(event.target.value)} />
        </label>
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" look="bad">Deny</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </form>
    </Dialog>
  );
}
