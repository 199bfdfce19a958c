// A definition in words: a model writes or changes it, and it fills the editor. Nothing is saved.
import { useEffect, useId, useRef, useState } from "react";
import { Block } from "../../text/Visible";
import { ProblemCard } from "../../ui/Bits";
import { Icon } from "../../ui/icons";
import type { Fields } from "../definition";
import { type Document, fromValue, ordered } from "../editor/document";
import type { Detail, Proposal } from "../queries";
import { Answer } from "./Answer";
import { ChangedFrom, ReplaceQuestion } from "./Compared";
import { useProposal } from "./useProposal";
import { WordsForm } from "./WordsForm";
import { baseOf, type Choice, mustAsk, requestOf } from "./words";

interface Props {
  /** null for a new automation. */
  saved: Detail | null;
  /** The initial content of the editor. */
  start: Fields;
  doc: Document;
  space?: string | undefined;
  isOpenAtFirst?: boolean;
  onDefinition: (definition: Fields) => void;
}

/** Where the proposed definition is: in the editor, waiting for the person, or not used. */
type Place = "taken" | "asks" | "unused";

const OUTCOME: Record<Place, string> = {
  taken: "The proposed definition is in the editor.",
  asks: "The proposed definition is not in the editor yet.",
  unused: "The editor is unchanged.",
};

export function InWords({ saved, start, doc, space, isOpenAtFirst = false, onDefinition }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [words, setWords] = useState("");
  /** What the answer is about. */
  const [asked, setAsked] = useState("");
  const [wanted, setWanted] = useState<Choice | null>(null);
  const [place, setPlace] = useState<Place>("unused");
  const lastTaken = useRef<string | null>(null);
  // The person may type while the model writes.
  const now = useRef(doc.text);
  useEffect(() => {
    now.current = doc.text;
  });
  const fill = (definition: Fields, done: string) => {
    lastTaken.current = textOf(definition);
    setPlace("taken");
    // What is done is not asked for again. What was typed meanwhile stays.
    setWords((now) => (now === done ? "" : now));
    onDefinition(definition);
  };
  const arrive = ({ definition }: Proposal) => {
    setOpen(true);
    // After a conflict, the editor may start again from a newer version.
    const initial = [textOf(start), saved === null ? null : textOf(saved.definition as Fields)];
    if (definition === null) setPlace("unused");
    else if (mustAsk(now.current, [...initial, lastTaken.current])) setPlace("asks");
    else fill(definition, words);
  };
  const { isWaiting, answer, error, start: ask, cancel } = useProposal(arrive);
  const propose = (choice: Choice | null) => {
    setAsked(words);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    void ask(requestOf({ words, definition: doc.value, automation: saved?.id, space, choice, zone }));
  };
  const proposed: Fields | null = answer?.definition ?? null;
  return (
    <div className="rounded-xl border border-edge bg-card">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 w-full items-center gap-2 rounded-xl px-4 py-2 text-left font-medium hover:bg-sunk"
        >
          <Icon name="models" className="size-4 text-accent" />
          <span className="flex-1">{saved === null ? "Write in words" : "Change in words"}</span>
          {isWaiting && !isOpen && <span className="text-xs font-normal text-soft">The model writes …</span>}
          <Icon name={isOpen ? "less" : "plus"} className="size-4 text-faint" />
        </button>
      </h2>
      <div id={id} className="space-y-4 border-t border-edge p-4" hidden={!isOpen}>
        {isOpen && (
          <>
            <WordsForm
              words={words}
              onWords={setWords}
              wanted={wanted}
              onWanted={setWanted}
              isChange={baseOf(doc.value) !== undefined}
              isBroken={doc.broken !== null}
              isWaiting={isWaiting}
              onPropose={propose}
              onCancel={cancel}
            />
            {error !== null && <ProblemCard error={error} />}
            {answer !== null && place === "taken" && (
              <div>
                <h3 className="text-[0.8125rem] font-medium">You asked for</h3>
                <Block text={asked} quoted />
              </div>
            )}
            {answer !== null && <Answer answer={answer} outcome={OUTCOME[place]} />}
            {proposed !== null && place === "asks" && (
              <ReplaceQuestion
                now={doc}
                proposed={proposed}
                onReplace={() => fill(proposed, asked)}
                onKeep={() => setPlace("unused")}
              />
            )}
            {saved !== null && place === "taken" && answer !== null && <ChangedFrom saved={saved} doc={doc} />}
          </>
        )}
      </div>
    </div>
  );
}

/** As the editor writes it. */
function textOf(definition: Fields): string {
  return fromValue(ordered(definition)).text;
}
