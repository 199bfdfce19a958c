// Draws a text of somebody else's. Every text that an agent, a source or another person wrote goes through here.
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { block, clip, line, type Piece } from "./visible";

/** More than this is folded until the person asks for it. */
const CAP = 4_000;

const MEANING = {
  hidden: "a character that cannot be seen",
  line: "a line end",
  run: "repeated characters, told by their number",
};

/** One line of text, for names and cells. */
export function Line({ text }: { text: string }) {
  const shown = useMemo(() => line(text), [text]);
  const { head, left, tail } = clip(shown.pieces, 300);
  return (
    <bdi dir="ltr">
      <Pieces pieces={head} />
      {left > 0 && <mark className="mark">⟨{left} characters are left out here⟩</mark>}
      <Pieces pieces={tail} />
    </bdi>
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
        {left > 0 && (
          <button type="button" className="mark cursor-pointer underline" onClick={() => setWhole(true)}>
            ⟨{left} characters are folded here: show them⟩
          </button>
        )}
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
