// The open dialog to stop or resume something.
import { closeDialog, useOpenDialog } from "./dialogs";
import { ResumeDialog } from "./ResumeDialog";
import { StopDialog } from "./StopDialog";

export function ConductHost() {
  const open = useOpenDialog();
  if (open === null) return null;
  if (open.kind === "resume") return <ResumeDialog conduct={open.conduct} onClose={closeDialog} />;
  return <StopDialog target={open.target} restriction={open.restriction} onClose={closeDialog} />;
}
