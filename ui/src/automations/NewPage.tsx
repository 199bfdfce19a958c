// Creates an automation: empty, from an example, or from another automation.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { automations } from "../api/queries";
import { spaces } from "../settings/queries";
import { openable } from "../spaces/openness";
import { SpaceChoice } from "../spaces/SpaceChoice";
import { Line } from "../text/Visible";
import { Empty, Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { type Fields, plan, text, triggers } from "./definition";
import { uniqueName } from "./editor/document";
import { Editor } from "./editor/Editor";
import { automation } from "./queries";
import { TriggerText } from "./TriggerText";

const EXAMPLES = Object.values(
  import.meta.glob<Fields>("../../../examples/automations/*.json", { eager: true, import: "default" }),
);
const EMPTY: Fields = { schema_version: "1.0", name: "", goal: "", plan: [] };

export function NewPage() {
  const { from } = useSearch({ strict: false }) as { from?: string };
  const [start, setStart] = useState<Fields | null>(null);
  const [isInWords, setInWords] = useState(false);
  const [chosen, setSpace] = useState<string | undefined>(undefined);
  const known = useQuery(spaces).data;
  const open = known === undefined ? [] : openable(known);
  // The gateway's default is the first space of all, which may not be open to this person.
  const space = chosen ?? open[0]?.id;
  const all = useInfiniteQuery(automations).data;
  const source = useQuery({ ...automation(from ?? ""), enabled: from !== undefined });
  const usedNames = all?.pages.flatMap((page) => page.items.map((each) => each.name)) ?? [];
  const copy = (definition: Fields): Fields => ({
    ...definition,
    name: uniqueName(text(definition.name), usedNames, " "),
  });
  const begin = (definition: Fields) => {
    // What is open to the person can change while they write.
    setSpace(space);
    setStart(definition);
  };
  if (start !== null) return <Editor saved={null} start={start} space={space} isInWords={isInWords} />;
  if (from !== undefined) {
    if (source.error !== null)
      return (
        <div className="p-4">
          <ProblemCard error={source.error} />
        </div>
      );
    if (source.data === undefined || all === undefined) return <Loading what="the automation" />;
    return <Editor saved={null} start={copy(source.data.definition as Fields)} space={space} />;
  }
  return (
    <>
      <header className="flex min-h-14 shrink-0 items-center gap-3 border-b border-edge bg-card px-4 py-2.5 md:px-6">
        <Link
          to="/automations"
          aria-label="Back to automations"
          className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk"
        >
          <Icon name="back" />
        </Link>
        <div>
          <h1 className="text-base font-semibold">New automation</h1>
          <p className="text-xs text-faint">Choose a template. You can change everything before you save.</p>
        </div>
      </header>
      {known !== undefined && open.length === 0 ? (
        <NoSpace />
      ) : (
        <div className="mx-auto w-full max-w-5xl space-y-5 p-4 md:p-6">
          <SpaceChoice spaces={open} space={space} onSpace={setSpace} />
          <Button
            onClick={() => {
              setInWords(true);
              begin(EMPTY);
            }}
          >
            <Icon name="models" />
            Describe it in words
          </Button>
          <ul aria-label="Templates" className="grid gap-3 md:grid-cols-2">
            <StartingPoint
              definition={EMPTY}
              name="Empty automation"
              about="Choose an action, set its parameters and add a trigger."
              onChoose={() => begin(EMPTY)}
            />
            {EXAMPLES.map((each) => (
              <StartingPoint
                key={text(each.name)}
                definition={each}
                name={text(each.name)}
                about={text(each.goal)}
                onChoose={() => begin(copy(each))}
              />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function StartingPoint({
  definition,
  name,
  about,
  onChoose,
}: {
  definition: Fields;
  name: string;
  about: string;
  onChoose: () => void;
}) {
  const steps = plan(definition);
  return (
    <li>
      <button
        type="button"
        onClick={onChoose}
        className={`flex h-full w-full flex-col gap-2 rounded-xl border border-edge bg-card p-4 text-left
          hover:border-accent hover:bg-accent-wash/40`}
      >
        <span className="font-semibold">
          <Line text={name} />
        </span>
        <span className="flex-1">
          <span className="line-clamp-5 text-soft">
            <Line text={about} />
          </span>
        </span>
        {triggers(definition).map((trigger, index) => (
          <span key={index} className="flex gap-1.5 text-xs text-faint">
            <Icon
              name={trigger.type === "schedule" ? "clock" : trigger.type === "webhook" ? "inbox" : "activity"}
              className="mt-px size-3.5"
            />
            <span className="line-clamp-3">
              <TriggerText trigger={trigger} />
            </span>
          </span>
        ))}
        {steps.length > 0 && (
          <span className="flex flex-wrap items-center gap-1 text-xs text-faint">
            {steps.map((step, index) => (
              <span key={index}>
                {index > 0 && "→ "}
                <code className="font-mono">
                  <Line text={step.action} />
                </code>
              </span>
            ))}
          </span>
        )}
      </button>
    </li>
  );
}

function NoSpace() {
  return (
    <Empty icon="space" title="No space is open to you">
      <p>An automation belongs to a space and opens sessions there. Ask an admin to add you to one.</p>
    </Empty>
  );
}
