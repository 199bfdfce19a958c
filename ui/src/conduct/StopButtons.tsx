// Buttons to stop and resume one target, for admins and owners.
import { useMay } from "../api/permissions";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { ownConduct, type Target, targetLabel } from "./conduct";
import { openResume, openStop } from "./dialogs";
import { useConducts } from "./queries";

/** `hasDryRun` adds a button of its own for a dry run; the dialog offers it in any case. */
export function StopButtons({ target, hasDryRun = false }: { target: Target; hasDryRun?: boolean }) {
  const may = useMay("admin") === true;
  const current = ownConduct(useConducts(), target);
  if (!may) return null;
  const label = targetLabel(target);
  return (
    <>
      {current?.conduct !== "halted" && (
        <Button variant="bad" aria-label={`Stop ${label}`} onClick={() => openStop(target)}>
          <Icon name="stop" />
          Stop
        </Button>
      )}
      {hasDryRun && current?.conduct !== "dry_run" && (
        <Button aria-label={`Dry run of ${label}`} onClick={() => openStop(target, "dry_run")}>
          Dry run
        </Button>
      )}
      {current !== null && (
        <Button aria-label={`Resume ${label}`} onClick={() => openResume(current)}>
          Resume
        </Button>
      )}
    </>
  );
}
