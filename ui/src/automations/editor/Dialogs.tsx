// Dialogs of the editor: unsaved changes, and a version conflict.
import { useQuery } from "@tanstack/react-query";
import { Loading } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Differences } from "../Differences";
import type { Fields } from "../definition";
import { automation, type Detail } from "../queries";

export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Dialog title="Leave without saving?" isOpen onClose={onStay}>
      <p className="mb-4">Your changes are not saved and will be lost.</p>
      <div className="flex flex-row-reverse gap-2">
        <Button variant="primary" onClick={onStay}>
          {" "}
          Keep editing{" "}
        </Button>
        <Button variant="bad" onClick={onLeave}>
          {" "}
          Discard changes{" "}
        </Button>
      </div>
    </Dialog>
  );
}

interface ConflictProps {
  base: Detail;
  mine: Fields;
  isBusy: boolean;
  onClose: () => void;
  onOver: (latest: Detail) => void;
  onTake: (latest: Detail) => void;
}

export function ConflictDialog({ base, mine, isBusy, onClose, onOver, onTake }: ConflictProps) {
  const { data } = useQuery({ ...automation(base.id), staleTime: 0 });
  const isNews = data !== undefined && data.version !== base.version;
  return (
    <Dialog
      title="Someone else saved a new version"
      description={`You started from version ${base.version}. Your changes are not saved yet.`}
      isOpen
      onClose={onClose}
    >
      {!isNews ? (
        <Loading what="their changes" />
      ) : (
        <div className="space-y-4">
          <section
            aria-label="Their changes"
            className="max-h-60 overflow-y-auto rounded-xl border border-edge"
            tabIndex={0}
          >
            <h3 className="eyebrow px-3 pt-2">Their changes</h3>
            <Differences
              before={base.definition as Fields}
              after={data.definition as Fields}
              names={[`version ${base.version}`, `version ${data.version}`]}
            />
          </section>
          <details>
            <summary className="cursor-pointer text-soft">Your changes compared to theirs</summary>
            <div className="mt-2 max-h-60 overflow-y-auto rounded-xl border border-edge">
              <Differences before={data.definition as Fields} after={mine} names={["theirs", "yours"]} />
            </div>
          </details>
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="quiet" onClick={onClose}>
              Keep editing
            </Button>
            <Button onClick={() => onTake(data)}>Discard mine</Button>
            <Button variant="primary" disabled={isBusy} onClick={() => onOver(data)}>
              Save mine as version {data.version + 1}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
