// Corrections of the parameters by people: who, when, why, and each change.
import type { Schemas } from "../../api/client";
import { moment } from "../../text/time";
import { Line } from "../../text/Visible";
import { Section } from "../../ui/Section";
import { Changes } from "../Preview";

export function Edits({ edits = [] }: { edits?: readonly Schemas["ShownEdit"][] | undefined }) {
  if (edits.length === 0) return null;
  return (
    <Section title="Edits">
      {edits.map(({ by, at, note, changes }, index) => (
        <div key={index} className="space-y-2">
          <p className="wrap-anywhere">
            Edited by{" "}
            <span className="font-medium">
              <Line text={by} />
            </span>{" "}
            on <time dateTime={at}>{moment(at)}</time>
            {note !== "" && (
              <>
                : <Line text={note} />
              </>
            )}
          </p>
          {changes.length > 0 && <Changes changes={changes} afterLabel="is" />}
        </div>
      ))}
    </Section>
  );
}
