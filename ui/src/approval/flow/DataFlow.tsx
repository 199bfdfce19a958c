// Where the data of a request goes, what it is made of, and which passages were read before. All of it is found by the
// gateway.
import { Link } from "@tanstack/react-router";
import { FlowFacts } from "../../policy/FlowFacts";
import { Block, Line } from "../../text/Visible";
import { Fact, Facts, Section } from "../../ui/Section";
import type { ShownApproval } from "../shown";
import { EndorseButton } from "./EndorseButton";
import { cutText, type Passage, placeOf } from "./passages";

export function DataFlow({ item }: { item: ShownApproval }) {
  const { flow } = item.shown;
  if (flow == null) return null;
  return (
    <Section title="Where the data goes">
      <div className="space-y-3">
        <Facts>
          <FlowFacts flow={flow} />
          {flow.why !== "" && (
            <Fact name={flow.observing ? "Why it would be held" : "Why it is held"}>
              <Line text={flow.why} />
            </Fact>
          )}
        </Facts>
        {flow.observing && (
          <p className="text-soft">Flows are only observed: this is recorded, and the request is not held for it.</p>
        )}
        <Passages passages={flow.passages} />
        <EndorseButton item={item} />
      </div>
    </Section>
  );
}

function Passages({ passages }: { passages: readonly Passage[] }) {
  if (passages.length === 0) return null;
  return (
    <ul aria-label="Passages that were read" className="space-y-2">
      {passages.map((passage, index) => (
        <li key={index} className="space-y-1.5 rounded-xl border border-edge bg-card px-4 py-3">
          <p className="text-soft wrap-anywhere">
            A passage of{" "}
            <code className="font-mono text-[0.8125rem]">
              <Line text={placeOf(passage)} />
            </code>{" "}
            stands word for word in the result of{" "}
            <Link
              to="/activity/$invocation"
              params={{ invocation: passage.invocation }}
              className="text-accent underline"
            >
              <Line text={passage.action} />
            </Link>
            {cutText(passage)}:
          </p>
          <blockquote>
            <Block text={passage.text} quoted />
          </blockquote>
        </li>
      ))}
    </ul>
  );
}
