// A sentence of the gateway, in which names of actions and values stand between backticks.
import { Fragment } from "react";
import { Line } from "./Visible";

export function Codes({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => (
    <Fragment key={index}>
      {part !== "" &&
        (index % 2 === 0 ? (
          <Line text={part} />
        ) : (
          <code className="font-mono text-[0.8125rem]">
            <Line text={part} />
          </code>
        ))}
    </Fragment>
  ));
}
