// What a model says about the definition that it proposes, or why it proposes none.
import { problemText } from "../../form/problems";
import { Block, Line } from "../../text/Visible";
import type { Proposal } from "../queries";
import { askedText } from "./words";

export function Answer({ answer, outcome }: { answer: Proposal; outcome: string }) {
  const { notes, questions, gaps, problems, failure } = answer;
  const hasSaid = notes !== "" || questions.length > 0 || gaps.length > 0;
  return (
    <div className="space-y-3">
      {failure != null && (
        <section aria-label="No answer" className="rounded-xl bg-bad-wash px-4 py-3 text-bad">
          <h3 className="font-semibold">The model was not asked, or did not answer</h3>
          <Block text={failure} />
        </section>
      )}
      {hasSaid && (
        <section aria-label="Said by the model" className="space-y-3 rounded-xl bg-sunk px-4 py-3">
          <div>
            <h3 className="font-semibold">Said by the model</h3>
            <p className="text-xs text-soft">
              This text may be wrong. Read the definition before you save it, and open no addresses in this text.
            </p>
          </div>
          {notes !== "" && (
            <p>
              <Block text={notes} quoted />
            </p>
          )}
          <Texts title="Questions" texts={questions} />
          <Texts title="Cannot be done" texts={gaps} />
        </section>
      )}
      {problems.length > 0 && (
        <section aria-label="Last attempt" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
          <h3 className="font-semibold">Why the model’s last definition cannot be saved</h3>
          <ul className="mt-1 space-y-0.5">
            {problems.map((problem, index) => (
              <li key={index} className="wrap-anywhere">
                <code className="font-mono text-[0.8125rem]">
                  <Line text={problem.pointer === "" ? "/" : problem.pointer} />
                </code>{" "}
                <Line text={problemText(problem)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <p role="status" className="text-soft">
        {outcome} {askedText(answer)}
      </p>
    </div>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div>
      <h4 className="text-[0.8125rem] font-medium">{title}</h4>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {texts.map((text, index) => (
          <li key={index}>
            <Block text={text} quoted />
          </li>
        ))}
      </ul>
    </div>
  );
}
