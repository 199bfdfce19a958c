// Someone else saved while a text was edited. Nothing is saved until the person chooses, so that nobody replaces what
// they have not seen.
import { number } from "../text/number";
import { Button } from "../ui/Button";

interface Props {
  version: number;
  onDiscard: () => void;
  onKeep: () => void;
}

export function NewerVersion({ version, onDiscard, onKeep }: Props) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="min-w-0 flex-1 basis-64">
        Version {number(version)} was saved while you edited. If you keep your text, saving it replaces that version.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onDiscard}>Discard my changes</Button>
        <Button onClick={onKeep}>Keep my text</Button>
      </div>
    </div>
  );
}
