// Says which values of the parameters are hidden, and reveals them to people who may answer.
import { ApiError } from "../../api/client";
import { useMay } from "../../api/permissions";
import { Line } from "../../text/Visible";
import { ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { type HiddenPlace, hiddenBecause } from "./revealed";
import type { Reveal } from "./useReveal";

export function HiddenValues({ places, reveal }: { places: HiddenPlace[]; reveal: Reveal }) {
  const mayAnswer = useMay("admin");
  if (places.length === 0) return null;
  const isRevealed = reveal.revealed !== null;
  return (
    <section aria-label="Hidden values" className="space-y-2 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p role="status" className="font-semibold">
        {isRevealed ? revealedTitle(places.length) : hiddenTitle(places.length)}
      </p>
      <ul className="list-disc space-y-1 pl-5">
        {places.map((place) => (
          <Place key={place.pointer} place={place} />
        ))}
      </ul>
      {mayAnswer === false && <p>Only admins and owners can reveal hidden values.</p>}
      {mayAnswer === true && !isRevealed && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button onClick={reveal.start} disabled={reveal.isLoading}>
            {reveal.isLoading ? "Revealing …" : "Reveal hidden values"}
          </Button>
          <span>It is recorded that you saw them.</span>
        </div>
      )}
      {reveal.error !== null && <RevealError error={reveal.error} />}
    </section>
  );
}

function hiddenTitle(count: number): string {
  if (count === 1) return "1 value is hidden. Reveal it before you approve.";
  return `${count} values are hidden. Reveal them before you approve.`;
}

function revealedTitle(count: number): string {
  const subject = count === 1 ? "1 hidden value is" : `${count} hidden values are`;
  return `${subject} revealed below. It is recorded that you saw ${count === 1 ? "it" : "them"}.`;
}

function Place({ place }: { place: HiddenPlace }) {
  return (
    <li className="wrap-anywhere">
      {place.pointer === "" ? (
        "all parameters"
      ) : (
        <code className="font-mono text-[0.8125rem]">
          <Line text={place.pointer} />
        </code>
      )}
      {": "}
      {hiddenBecause(place)}
      <Line text={place.rule} />
    </li>
  );
}

function RevealError({ error }: { error: unknown }) {
  if (error instanceof ApiError) return <ProblemCard error={error} />;
  return <p role="alert">The revealed values do not match this request. Reload the page.</p>;
}
