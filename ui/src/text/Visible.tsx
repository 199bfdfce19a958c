// Draws untrusted text. Every text written by an agent, a source or another person goes through here.
import { Fragment, type MouseEvent, type ReactNode, useMemo, useState } from "react";
import { block, clip, excerpt, line, type Piece } from "./visible";

/** Longer texts are cut until the reader expands them. */
const CAP = 4_000;
const LINE_CAP = 300;
const EXCERPT_CAP = 160;

const MEANING = {
  hidden: "invisible character",
  line: "line break",
  run: "repeated characters, shown as a count",
};

/** One line of text, for names and cells. A long text can be expanded. */
export function Line({ text }: { text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = useMemo(() => line(text), [text]);
  const { head, left, tail } = useMemo(() => clip(shown.pieces, isExpanded ? Infinity : LINE_CAP), [shown, isExpanded]);
  return (
    <bdi dir="ltr" data-shown="">
      <Pieces pieces={head} />
      {left > 0 && <ExpandButton left={left} onClick={() => setExpanded(true)} />}
      <Pieces pieces={tail} />
    </bdi>
  );
}

/** The beginning of a text, for a list row that links to the whole. It says how much is cut. */
export function Excerpt({ text }: { text: string }) {
  const { pieces, left } = useMemo(() => excerpt(text, EXCERPT_CAP), [text]);
  return (
    <bdi dir="ltr" data-begins="">
      <Pieces pieces={pieces} />
      {left > 0 && <mark className="mark">⟨{left} more⟩</mark>}
    </bdi>
  );
}

function ExpandButton({ left, onClick }: { left: number; onClick: () => void }) {
  // It may be inside a link or summary, which must not react.
  const unfold = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onClick();
  };
  return (
    <button type="button" className="mark cursor-pointer underline" onClick={unfold}>
      ⟨{left} characters are hidden here: show them⟩
    </button>
  );
}

/** Multiple lines, with spaces preserved. */
export function Block({ text, quoted = false }: { text: string; quoted?: boolean }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = useMemo(() => block(text), [text]);
  const { head, left, tail } = useMemo(() => clip(shown.pieces, isExpanded ? Infinity : CAP), [shown, isExpanded]);
  const quote: ReactNode = quoted && (
    <span className="text-faint select-none" aria-hidden="true">
      "
    </span>
  );
  return (
    <bdi dir="ltr" className="whitespace-pre-wrap wrap-anywhere">
      {quote}
      <span data-shown="">
        <Pieces pieces={head} />
        {left > 0 && <ExpandButton left={left} onClick={() => setExpanded(true)} />}
        <Pieces pieces={tail} />
      </span>
      {quote}
    </bdi>
  );
}

function Pieces({ pieces }: { pieces: Piece[] }) {
  return pieces.map((piece, index) => <Fragment key={index}>{draw(piece)}</Fragment>);
}

function draw({ kind, shown }: Piece): ReactNode {
  if (kind === "text") return <span data-kind="text">{shown}</span>;
  // Right-to-left text is isolated, so that it cannot move the text beside it.
  if (kind === "rtl")
    return (
      <bdi data-kind="rtl" dir="rtl">
        {shown}
      </bdi>
    );
  return (
    <mark data-kind={kind} className={kind === "line" ? "mark-line" : "mark"} title={MEANING[kind]}>
      {shown}
    </mark>
  );
}
