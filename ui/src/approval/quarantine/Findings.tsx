// What was found in a quarantined request, and what can be done with it.
import type { Schemas } from "../../api/client";
import { moment } from "../../text/time";
import { Line } from "../../text/Visible";

export function Findings({ item: { why, only_discard, held_until } }: { item: Schemas["QuarantinedItem"] }) {
  return (
    <section aria-label="Quarantine" className="space-y-2 rounded-xl bg-bad-wash px-4 py-3 text-bad">
      <p className="font-semibold">This request is quarantined. It did not run.</p>
      <div>
        <p>What was found:</p>
        <ul className="list-disc space-y-1 pl-5">
          {why.map((text, index) => (
            <li key={index} className="wrap-anywhere">
              <Line text={text} />
            </li>
          ))}
        </ul>
      </div>
      <p>
        {only_discard == null ? (
          "Release it if this is only text. Otherwise, discard it."
        ) : (
          <>
            This request can only be discarded: <Line text={only_discard} />
          </>
        )}{" "}
        It is held until {moment(held_until)}.
      </p>
    </section>
  );
}
