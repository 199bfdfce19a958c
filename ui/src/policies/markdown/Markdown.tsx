// A little Markdown for texts that come with Countersign: paragraphs, lists, bold and code. Everything else stays text.
import { Fragment } from "react";
import { Line } from "../../text/Visible";
import { blocks, spans } from "./markdown";

/** `isShort`: only the first paragraph. */
export function Markdown({ text, isShort = false }: { text: string; isShort?: boolean }) {
  const all = blocks(text);
  return (
    <div className="space-y-2">
      {(isShort ? all.slice(0, 1) : all).map((block, index) =>
        block.kind === "list" ? (
          <ul key={index} className="list-disc space-y-1 pl-5 marker:text-faint">
            {block.lines.map((line, at) => (
              <li key={at}>
                <Spans text={line} isOurs />
              </li>
            ))}
          </ul>
        ) : (
          <p key={index}>
            <Spans text={block.lines.join(" ")} isOurs />
          </p>
        ),
      )}
    </div>
  );
}

/** One line with bold and code. `isOurs`: it comes with Countersign, so nothing in it must be made visible or cut. */
export function Spans({ text, isOurs = false }: { text: string; isOurs?: boolean }) {
  const draw = (part: string) => (isOurs ? part : <Line text={part} />);
  return spans(text).map(({ kind, text: part }, index) =>
    kind === "code" ? (
      <code key={index} className="font-mono text-[0.8125rem]">
        {draw(part)}
      </code>
    ) : kind === "bold" ? (
      <strong key={index} className="font-semibold">
        {draw(part)}
      </strong>
    ) : (
      <Fragment key={index}>{draw(part)}</Fragment>
    ),
  );
}
