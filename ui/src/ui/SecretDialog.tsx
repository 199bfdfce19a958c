// Shows a secret once. It warns before it is closed without copying.
import { useRef, useState } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export function SecretDialog({
  title,
  about,
  value,
  onClose,
}: {
  title: string;
  about: string;
  value: string;
  onClose: () => void;
}) {
  const [isStored, setStored] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setStored(true);
    } catch {
      // The clipboard is not available. The text is selected, so that it can be copied by hand.
      setWarned(true);
    }
  };
  const close = () => (isStored || isWarned ? onClose() : setWarned(true));
  return (
    <Dialog title={title} description={about} isOpen onClose={close}>
      <div className="space-y-3">
        <textarea
          ref={field}
          readOnly
          aria-label="Secret, shown once"
          rows={2}
          value={value}
          onCopy={() => setStored(true)}
          spellCheck={false}
          className="input resize-none bg-sunk font-mono text-sm break-all"
        />
        {isWarned && !isStored && (
          <p role="alert" className="text-warn">
            This value cannot be shown again. Copy it before you close the dialog.
          </p>
        )}
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          <Button variant={isStored ? "plain" : "primary"} onClick={() => void copy()}>
            {isStored ? "Copied" : "Copy"}
          </Button>
          <Button variant={isStored ? "primary" : "quiet"} onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
