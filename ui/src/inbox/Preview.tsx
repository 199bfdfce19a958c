// What would happen, where the source can tell: field by field, what would no longer be and what would be instead.
import type { Schemas } from "../api/client";
import { rows } from "../text/rows";
import { Line } from "../text/Visible";
import { AnyValue } from "./Params";
import { Fact, Facts, Section } from "./Section";

interface Props {
  preview: Schemas["PreviewView"] | null | undefined;
  params: unknown;
  isAsking: boolean;
}

export function Preview({ preview, params, isAsking }: Props) {
  if (isAsking) return <Section title="What would happen"><p className="animate-pulse text-faint">Asking the source …</p></Section>;
  if (preview == null) return null;
  return (
    <Section title="What would happen">
      <p><Line text={preview.summary} /></p>
      {isRepeat(preview.changes, params) ? (
        <details>
          <summary className="cursor-pointer text-soft">{preview.changes.length} new {preview.changes.length === 1 ? "field" : "fields"}, each with a value from the parameters above</summary>
          <div className="mt-2"><Changes changes={preview.changes} /></div>
        </details>
      ) : (
        preview.changes.length > 0 && <Changes changes={preview.changes} />
      )}
    </Section>
  );
}

function Changes({ changes }: { changes: Schemas["PreviewChange"][] }) {
  return (
    <Facts>
      {changes.map((change, index) => (
        <Fact key={index} name={<code className="font-mono text-[0.8125rem]"><Line text={change.field} /></code>}>
          <Side sign="−" value={change.before} tone="bg-bad-wash" said="was" />
          <Side sign="+" value={change.after} tone="bg-good-wash" said="would be" />
        </Fact>
      ))}
    </Facts>
  );
}

/** Whether everything is new and was said above: then it would only make the page longer. */
export function isRepeat(changes: Schemas["PreviewChange"][], params: unknown): boolean {
  const said = new Set(rows(params).map((row) => `${row.type} ${row.value}`));
  const isSaid = (value: unknown) => rows(value).every((row) => said.has(`${row.type} ${row.value}`));
  return changes.length > 0 && changes.every((change) => change.before == null && isSaid(change.after));
}

function Side({ sign, value, tone, said }: { sign: string; value: unknown; tone: string; said: string }) {
  if (value == null) return null;
  return (
    <div className={`flex gap-2 rounded px-2 py-0.5 ${tone}`}>
      <span className="font-mono select-none" aria-label={said}>{sign}</span>
      <div className="min-w-0"><AnyValue value={value} /></div>
    </div>
  );
}
