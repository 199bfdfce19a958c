// Says in place of a content that it was erased at the end of the retention.
import { Section } from "../ui/Section";
import { day, moment } from "./time";

interface Props {
  /** What would be here. */
  title: string;
  /** RFC 3339. */
  at: string;
  kept?: string;
}

export function Erased({ title, at, kept = "The receipt's facts and proofs are kept." }: Props) {
  return (
    <Section title={title}>
      <p className="rounded-xl bg-sunk px-4 py-3 text-soft">
        Erased on{" "}
        <time dateTime={at} title={moment(at)}>
          {day(at)}
        </time>{" "}
        at the end of the retention. {kept}
      </p>
    </Section>
  );
}
