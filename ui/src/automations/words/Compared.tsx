// What a proposed definition changes, before it is saved.
import { Button } from "../../ui/Button";
import { Differences } from "../Differences";
import type { Fields } from "../definition";
import type { Document } from "../editor/document";
import type { Detail } from "../queries";

interface QuestionProps {
  now: Document;
  proposed: Fields;
  onReplace: () => void;
  onKeep: () => void;
}

/** It is no dialog: the person may be typing in the editor when it appears. */
export function ReplaceQuestion({ now, proposed, onReplace, onKeep }: QuestionProps) {
  return (
    <section aria-label="Replace your text" className="space-y-3 rounded-xl border border-edge p-4">
      <p role="alert" className="font-semibold">
        The editor has unsaved content. Replace it with the proposed definition?
      </p>
      {now.broken === null ? (
        <Table before={now.value} after={proposed} names={["in the editor", "proposed"]} />
      ) : (
        <p className="text-warn">The JSON in the editor is invalid.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="bad" onClick={onReplace}>
          Replace my text
        </Button>
        <Button onClick={onKeep}>Do not replace it</Button>
      </div>
    </section>
  );
}

/** The table is about what is in the editor now, with what the person typed since. */
export function ChangedFrom({ saved, doc }: { saved: Detail; doc: Document }) {
  if (doc.broken !== null) return null;
  const version = `version ${saved.version}`;
  return (
    <section aria-label="Unsaved differences" className="space-y-2">
      <h3 className="font-semibold">Differences from {version}</h3>
      <Table before={saved.definition as Fields} after={doc.value} names={[version, "in the editor"]} />
    </section>
  );
}

function Table(props: { before: Fields; after: Fields; names: [string, string] }) {
  return (
    <div className="max-h-80 overflow-y-auto rounded-xl border border-edge p-1" tabIndex={0}>
      <Differences {...props} />
    </div>
  );
}
