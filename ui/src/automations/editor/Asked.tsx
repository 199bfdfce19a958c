// The two questions of the editor: whether to lose what is not saved, and what to do when somebody else saved meanwhile.
import { useQuery } from "@tanstack/react-query";
import { Loading } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import type { Fields } from "../definition";
import { Differences } from "../Differences";
import { automation, type Detail } from "../queries";

export function Leave({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Dialog title="Leave without saving?" isOpen onClose={onStay}>
      <p className="mb-4">What you changed here is not saved, and would be lost.</p>
      <div className="flex flex-row-reverse gap-2">
        <Button look="primary" onClick={onStay}>Stay</Button>
        <Button look="bad" onClick={onLeave}>Leave, and lose it</Button>
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

export function Conflict({ base, mine, isBusy, onClose, onOver, onTake }: ConflictProps) {
  const { data } = useQuery({ ...automation(base.id), staleTime: 0 });
  const isNews = data !== undefined && data.version !== base.version;
  return (
    <Dialog title="Somebody else saved a version" about={`You began with version ${base.version}. Nothing of yours is saved yet, and nothing is lost.`} isOpen onClose={onClose}>
      {!isNews ? <Loading what="what they changed" /> : (
        <div className="space-y-4">
          <section aria-label="What they changed" className="max-h-60 overflow-y-auto rounded-xl border border-edge" tabIndex={0}>
            <h3 className="eyebrow px-3 pt-2">What they changed</h3>
            <Differences before={base.definition as Fields} after={data.definition as Fields} names={[`version ${base.version}`, `version ${data.version}`]} />
          </section>
          <details>
            <summary className="cursor-pointer text-soft">What yours would change in theirs</summary>
            <div className="mt-2 max-h-60 overflow-y-auto rounded-xl border border-edge"><Differences before={data.definition as Fields} after={mine} names={["theirs", "yours"]} /></div>
          </details>
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="quiet" onClick={onClose}>Go on editing</Button>
            <Button onClick={() => onTake(data)}>Take theirs, drop mine</Button>
            <Button look="primary" disabled={isBusy} onClick={() => onOver(data)}>Save mine as version {data.version + 1}</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
