// Facts about a flow of data: where it goes, who may see it there, who chose that, and what it is made of.
import type { ReactNode } from "react";
import { Line } from "../text/Visible";
import { Fact } from "../ui/Section";
import { audienceText, chosenByText, NO_PLACE } from "./flow";

interface Props {
  flow: {
    to: readonly string[];
    audience: string;
    chosen_by: string;
    untrusted: readonly string[];
    private: readonly string[];
  };
  /** Draws a place; by default as one line. */
  place?: (text: string) => ReactNode;
}

export function FlowFacts({ flow, place = line }: Props) {
  return (
    <>
      <Fact name="Sent to">{flow.to.length === 0 ? NO_PLACE : <Names names={flow.to} draw={place} />}</Fact>
      <Fact name="Who may see it there">{line(audienceText(flow.audience))}</Fact>
      <Fact name="Place chosen by">{line(chosenByText(flow.chosen_by))}</Fact>
      <Fact name="Read, may contain text by strangers">
        <Names names={flow.untrusted} />
      </Fact>
      <Fact name="Read, not public">
        <Names names={flow.private} />
      </Fact>
    </>
  );
}

const line = (text: string) => <Line text={text} />;

/** Names from elsewhere, one per line. */
export function Names({ names, draw = line }: { names: readonly string[]; draw?: (text: string) => ReactNode }) {
  if (names.length === 0) return "Nothing";
  return (
    <ul className="space-y-1">
      {names.map((name, index) => (
        <li key={index} className="wrap-anywhere">
          {draw(name)}
        </li>
      ))}
    </ul>
  );
}
