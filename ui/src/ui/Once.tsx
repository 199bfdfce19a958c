// A secret that is shown once: it can be copied, and the dialog does not go away by a slip before it was.
import { useRef, useState } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export function Once({ title, about, value, onClose }: { title: string; about: string; value: string; onClose: () => void }) {
  const [isKept, setKept] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setKept(true);
    } catch {
      // The browser does not let us; it is selected, and a person can copy it by hand.
      setWarned(true);
    }
  };
  const close = () => (isKept || isWarned ? onClose() : setWarned(true));
  return (
    <Dialog title={title} about={about} isOpen onClose={close}>
      <div className="space-y-3">
        <textarea ref={field} readOnly aria-label="Shown once" rows={2} value={value} onCopy={() => setKept(true)} spellCheck={false}
          className="input resize-none bg-sunk font-mono text-sm break-all" />
        {isWarned && !isKept && <p role="alert" className="text-warn">It cannot be shown again. Copy it first; then you can close this.</p>}
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          <Button look={isKept ? "plain" : "primary"} onClick={() => void copy()}>{isKept ? "Copied" : "Copy"}</Button>
          <Button look={isKept ? "primary" : "quiet"} onClick={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
