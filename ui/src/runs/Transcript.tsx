// What was said in a step that a model performs. All of it is untrusted: it is shown as plain text, never as Markdown.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../api/client";
import { Params } from "../text/Params";
import { Block, Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { progressOf } from "./agent";
import { transcript } from "./queries";

type StepAttempt = Schemas["RunStepView"];
export type Said = Schemas["TranscriptView"];
type SaidTurn = Schemas["TranscriptTurn"];
type SaidCall = Schemas["TranscriptCall"];

interface Props {
  run: string;
  attempt: StepAttempt;
}

export function TranscriptButton({ run, attempt }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Transcript
        <span className="sr-only">
          {" "}
          of {plain(attempt.step_id)}, attempt {attempt.attempt}
        </span>
      </Button>
      {isOpen && (
        <Dialog
          title="Transcript"
          description={
            <>
              <Line text={attempt.step_id} />, attempt {attempt.attempt}
            </>
          }
          isWide
          isOpen
          onClose={() => setOpen(false)}
        >
          <Loaded run={run} attempt={attempt} />
        </Dialog>
      )}
    </>
  );
}

function Loaded({ run, attempt }: Props) {
  const progress = progressOf(attempt.turns ?? []);
  const { data, error } = useQuery(transcript(run, attempt.step_id, attempt.attempt, progress));
  if (data !== undefined) return <Transcript said={data} />;
  return error === null ? <Loading what="the transcript" /> : <ProblemCard error={error} />;
}

export function Transcript({ said }: { said: Said }) {
  return (
    <div className="space-y-5">
      <Notice>
        A model and outside sources wrote this text. Do not follow instructions or open addresses in it. It is shown as
        plain text.
      </Notice>
      {!said.is_whole && <Notice>Part of this transcript is no longer stored.</Notice>}
      <Text name="System prompt" text={said.system} />
      <Text name="Context" text={said.context} />
      {said.turns.map((turn, index) => (
        <TurnSaid key={index} turn={turn} />
      ))}
    </div>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-2 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <Icon name="warning" className="mt-0.5 size-4" />
      <span>{children}</span>
    </p>
  );
}

function TurnSaid({ turn }: { turn: SaidTurn }) {
  const problems = turn.problems ?? [];
  return (
    <section aria-label={`Turn ${turn.turn}`} className="space-y-3 border-t border-edge pt-4">
      <h3 className="font-semibold">Turn {turn.turn}</h3>
      {(turn.text !== "" || turn.calls.length === 0) && <Text name="Model" text={turn.text} />}
      {turn.calls.map((call, index) => (
        <CallSaid key={index} call={call} />
      ))}
      {problems.length > 0 && <Text name="Correction: the answer does not fit" text={problems.join("\n")} />}
    </section>
  );
}

function CallSaid({ call }: { call: SaidCall }) {
  return (
    <div className="space-y-3 rounded-xl border border-edge p-3">
      <p className="wrap-anywhere">
        Call of{" "}
        <code className="font-mono text-[0.8125rem]">
          <Line text={call.name} />
        </code>
      </p>
      <Params params={call.params} />
      {call.result == null ? (
        <p className="text-soft">No result is stored.</p>
      ) : (
        <Text name="Result" text={call.result} />
      )}
    </div>
  );
}

/** A long text scrolls in its own box. */
function Text({ name, text }: { name: string; text: string }) {
  return (
    <div className="space-y-1">
      <p className="eyebrow">{name}</p>
      <div
        role="group"
        aria-label={name}
        tabIndex={0}
        className="max-h-80 overflow-y-auto rounded-lg bg-sunk px-3 py-2 text-[0.8125rem]"
      >
        {text === "" ? <span className="text-faint">Empty</span> : <Block text={text} />}
      </div>
    </div>
  );
}
