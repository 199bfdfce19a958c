// The preview of an action, where the source provides one: each field before and after.
import type { Schemas } from "../api/client";
import { AnyValue } from "../text/Params";
import { Line } from "../text/Visible";
import { Fact, Facts, Section } from "../ui/Section";
import { isRepeat } from "./wording";

interface Props {
  preview: Schemas["PreviewView"] | null;
  params: unknown;
}

export function Preview({ preview, params }: Props) {
  if (preview === null) return null;
  return (
    <Section title="Preview">
      <p>
        <Line text={preview.summary} />
      </p>
      {isRepeat(preview.changes, params) ? (
        <details>
          <summary className="cursor-pointer text-soft">
            {preview.changes.length} {preview.changes.length === 1 ? "field is" : "fields are"} set from the parameters
            above
          </summary>
          <div className="mt-2">
            <Changes changes={preview.changes} />
          </div>
        </details>
      ) : (
        preview.changes.length > 0 && <Changes changes={preview.changes} />
      )}
      {preview.basis.length > 0 && <Basis basis={preview.basis} />}
    </Section>
  );
}

/** What the preview relies on about the target. */
function Basis({ basis }: { basis: Schemas["PreviewBasis"][] }) {
  return (
    <div className="mt-3">
      <p className="mb-1 text-soft">An approval counts only while the target stays like this:</p>
      <Facts>
        {basis.map(({ name, value }, index) => (
          <Fact key={index} name={<Line text={name} />}>
            {value == null ? <span className="text-soft">none</span> : <AnyValue value={value} />}
          </Fact>
        ))}
      </Facts>
    </div>
  );
}

interface ChangesProps {
  changes: readonly Schemas["PreviewChange"][];
  /** What a screen reader says before the value after the change. */
  afterLabel?: string;
}

export function Changes({ changes, afterLabel = "would be" }: ChangesProps) {
  return (
    <Facts>
      {changes.map((change, index) => (
        <Fact
          key={index}
          name={
            <code className="font-mono text-[0.8125rem]">
              <Line text={change.field} />
            </code>
          }
        >
          <Side sign="−" value={change.before} tone="bg-bad-wash" label="was" />
          <Side sign="+" value={change.after} tone="bg-good-wash" label={afterLabel} />
        </Fact>
      ))}
    </Facts>
  );
}

function Side({ sign, value, tone, label }: { sign: string; value: unknown; tone: string; label: string }) {
  if (value == null) return null;
  return (
    <div className={`flex gap-2 rounded px-2 py-0.5 ${tone}`}>
      <span role="img" className="font-mono select-none" aria-label={label}>
        {sign}
      </span>
      <div className="min-w-0">
        <AnyValue value={value} />
      </div>
    </div>
  );
}
