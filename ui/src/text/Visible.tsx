// Draws a text of somebody else's. Every text that an agent, a source or another person wrote goes through here.
import { Fragment, type MouseEvent, type ReactNode, useMemo, useState } from "react";
import { beginning, block, clip, line, type Piece } from "./visible";

/** More than this is folded until the person asks for it. */
const CAP = 4_000;
const LINE_CAP = 300;
const BEGINNING = 160;

const MEANING = {
  hidden: "a character that cannot be seen",
  line: "a line end",
  run: "repeated characters, told by their number",
};

/** One line of text, for names and cells. What is too long can be unfolded. */
export function Line({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const shown = useMemo(() => line(text), [text]);
  const { head, left, tail } = useMemo(() => clip(shown.pieces, isWhole ? Infinity : LINE_CAP), [shown, isWhole]);
  return (
    <bdi dir="ltr" data-shown="">
      <Pieces pieces={head} />
      {left > 0 && <Unfold left={left} onClick={() => setWhole(true)} />}
      <Pieces pieces={tail} />
    </bdi>
  );
}

/** The beginning of a text, for a row of a list that leads to the whole; that there is more is said. */
export function Beginning({ text }: { text: string }) {
  const { pieces, left } = useMemo(() => beginning(text, BEGINNING), [text]);
  return (
    <bdi dir="ltr" data-begins="">
      <Pieces pieces={pieces} />
      {left > 0 && <mark className="mark">⟨{left} more⟩</mark>}
    </bdi>
  );
}

function Unfold({ left, onClick }: { left: number; onClick: () => void }) {
  // It may stand in a link or in a summary, which are not meant then.
  const unfold = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onClick();
  };
  return (
    <button type="button" className="mark cursor-pointer underline" onClick={unfold}>
      ⟨{left} characters are folded here: show them⟩
    </button>
  );
}

/** Any number of lines, with blanks as they are. */
export function Block({ text, quoted = false }: { text: string; quoted?: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const shown = useMemo(() => block(text), [text]);
  const { head, left, tail } = useMemo(() => clip(shown.pieces, isWhole ? Infinity : CAP), [shown, isWhole]);
  const quote: ReactNode = quoted && <span className="text-faint select-none" aria-hidden="true">"</span>;
  return (
    <bdi dir="ltr" className="whitespace-pre-wrap wrap-anywhere">
      {quote}
      <span data-shown="">
        <Pieces pieces={head} />
        {left > 0 && <Unfold left={left} onClick={() => setWhole(true)} />}
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
  // Text that runs from right to left is kept to itself, so that it cannot move what stands beside it.
  if (kind === "rtl") return <bdi data-kind="rtl" dir="rtl">{shown}</bdi>;
  return <mark data-kind={kind} className={kind === "line" ? "mark-line" : "mark"} title={MEANING[kind]}>{shown}</mark>;
}
