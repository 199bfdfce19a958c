// The problems of a definition, each with a link to its place.
import { type DocumentProblem, problemText } from "../../form/problems";
import { Codes } from "../../text/Codes";
import { Line } from "../../text/Visible";
import { Badge } from "../../ui/Bits";
import type { Verdict } from "./useValidation";

export function ValidationBadge({ verdict, broken }: { verdict: Verdict; broken: string | null }) {
  const count = verdict.problems.length;
  return (
    <span role="status">
      {broken !== null ? (
        <Badge tone="bad">invalid JSON</Badge>
      ) : verdict.error !== null ? (
        <Badge tone="warn">validation failed</Badge>
      ) : verdict.isChecking ? (
        <Badge>checking …</Badge>
      ) : count > 0 ? (
        <Badge tone="bad">
          {count} {count === 1 ? "problem" : "problems"}
        </Badge>
      ) : (
        <Badge tone="good">valid</Badge>
      )}
    </span>
  );
}

interface Props {
  title: string;
  problems: readonly DocumentProblem[];
  onShow: (pointer: string) => void;
  /** What a place is called; by default its pointer. */
  nameOf?: (pointer: string) => string;
  tone?: keyof typeof TONES;
}

const TONES = { bad: "bg-bad-wash text-bad", warn: "bg-warn-wash text-warn", plain: "bg-sunk text-ink" };

export function Problems({ title, problems, onShow, nameOf, tone = "warn" }: Props) {
  if (problems.length === 0) return null;
  return (
    <section aria-label={tone === "plain" ? title : "Problems"} className={`rounded-xl px-4 py-3 ${TONES[tone]}`}>
      <h2 className="font-semibold">{title}</h2>
      <ul className="mt-1 space-y-0.5">
        {problems.map((problem, index) => (
          <li key={index}>
            <button type="button" className="text-left hover:underline" onClick={() => onShow(problem.pointer)}>
              {nameOf === undefined ? (
                <code className="font-mono text-[0.8125rem]">
                  <Line text={problem.pointer === "" ? "/" : problem.pointer} />
                </code>
              ) : (
                <span className="mr-1 font-medium">
                  <Line text={nameOf(problem.pointer)} />
                </span>
              )}{" "}
              <Codes text={problemText(problem)} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
