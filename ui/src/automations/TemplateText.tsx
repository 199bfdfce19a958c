// A text with its templates highlighted.
import { Fragment } from "react";
import { Block } from "../text/Visible";

export function TemplateText({ text }: { text: string }) {
  const parts = text.split(/(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\})/);
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part !== "" && <Block text={part} />}</Fragment>
    ) : (
      <code key={index} className="rounded bg-accent-wash px-1 font-mono text-[0.8125rem] text-accent">
        <Block text={part} />
      </code>
    ),
  );
}
