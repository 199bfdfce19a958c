// Shows a secret once, in a dialog.
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { SecretField, useSecret } from "./Secret";

export function SecretDialog({
  title,
  about,
  value,
  label = "Secret, shown once",
  onClose,
}: {
  title: string;
  about: string;
  value: string;
  label?: string;
  onClose: () => void;
}) {
  const secret = useSecret(value);
  const close = () => secret.mayLeave() && onClose();
  return (
    <Dialog title={title} description={about} isOpen onClose={close}>
      <div className="space-y-3">
        <SecretField secret={secret} label={label} before="you close the dialog" />
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          <Button variant={secret.isStored ? "plain" : "primary"} onClick={() => void secret.copy()}>
            {secret.isStored ? "Copied" : "Copy"}
          </Button>
          <Button variant={secret.isStored ? "primary" : "quiet"} onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
