// Fills in a starter, shows what would be added, and adds it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge, Loading, ProblemCard, type Tone } from "../../ui/Bits";
import { Button, buttonClass } from "../../ui/Button";
import { Choice } from "../../ui/Choice";
import { Section } from "../../ui/Section";
import { Code, modeLabel, Rows } from "../Badges";
import { errorsOf, nameOf } from "../editor/draft";
import { PolicyProblems } from "../editor/PolicyProblems";
import { STATE_CHOICES } from "../editor/SaveFields";
import { useCheck } from "../editor/useCheck";
import { factWords, isSameFact } from "../facts/words";
import { Markdown } from "../markdown/Markdown";
import { facts as factsQuery, policies, policySchema, saveCase, saveFact, savePolicy } from "../queries";
import type { CaseResult, FactDefinition, PolicySchema, PolicyState, PolicyView, Starter } from "../types";
import { counted, listed } from "../words";
import { add, type Outcome, outcomeText, type Part } from "./add";
import { defaults, type Filled, fill, unknownAction, type Values, valueProblem } from "./fill";
import { NeedField } from "./NeedField";

const CedarEditor = lazy(async () => ({ default: (await import("../editor/CedarEditor")).CedarEditor }));

export function StarterForm({ starter }: { starter: Starter }) {
  const [values, setValues] = useState(() => defaults(starter.needs));
  const [state, setState] = useState<PolicyState>("observing");
  const [parts, setParts] = useState<Part[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const schema = useQuery(policySchema).data;
  const filled = useMemo(() => fill(starter, values), [starter, values]);
  const checked = useCheck(filled);
  const known = useQuery(policies).data;
  const replaced = useReplaced(filled, known);
  const wrong =
    starter.needs.map((need) => valueProblem(need, values[need.name])).find((each) => each !== null) ??
    actionProblem(starter, values, schema);
  const isLoaded = schema !== undefined && known !== undefined;
  const isChecked = isLoaded && checked.text === filled.text && !checked.isChecking;
  const hasErrors = errorsOf(checked.answer).length > 0;
  const submit = async () => {
    setBusy(true);
    const reason = `Starter: ${starter.title}`;
    const save = {
      fact: (fact: FactDefinition) => saveFact(fact, reason),
      policy: (name: string, text: string, as: PolicyState) =>
        savePolicy(name, { text, state: as, version: versionOf(name, known) }, reason),
      case: saveCase,
    };
    // A case that does not fit the chosen values would fail at every later save.
    const results = checked.answer?.cases ?? [];
    const fitting = filled.cases.filter(({ name }) => results.some((each) => each.name === name && each.passed));
    await add({ filled: { ...filled, cases: fitting }, state, save, onChange: setParts }, parts ?? []);
    setBusy(false);
  };
  if (parts !== null) return <Added parts={parts} isBusy={isBusy} onAgain={() => void submit()} />;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-6 p-4 md:p-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="min-w-0 space-y-5">
        <div className="text-soft">
          <Markdown text={starter.about} />
        </div>
        {starter.needs.map((need) => (
          <NeedField
            key={need.name}
            need={need}
            value={values[need.name] ?? ""}
            schema={schema}
            actions={starter.needs.filter(({ kind }) => kind === "action").map(({ name }) => values[name] ?? "")}
            onChange={(value) => setValues((last) => ({ ...last, [need.name]: value }))}
          />
        ))}
        <Choice name="State" value={state} choices={STATE_CHOICES} onChange={setState} />
        {wrong !== null && <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">{plain(wrong)}</p>}
        {replaced.length > 0 && (
          <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">This would replace {plain(listed(replaced))}.</p>
        )}
        <Button
          variant="primary"
          className="w-full"
          disabled={isBusy || wrong !== null || !isChecked || hasErrors}
          onClick={() => void submit()}
        >
          {!isChecked && checked.error === null
            ? "Checking …"
            : filled.policies.length > 1
              ? `Add these ${filled.policies.length} policies`
              : "Add this policy"}
        </Button>
      </div>
      <Preview filled={filled} checked={checked} isCurrent={checked.text === filled.text} />
    </div>
  );
}

function actionProblem({ needs }: Starter, values: Values, schema: PolicySchema | undefined): string | null {
  const action = schema === undefined ? null : unknownAction(needs, values, schema);
  return action === null ? null : `The action ${action} does not exist here. Connect its source first.`;
}

/** The version that is replaced; 0 if there is no such policy. */
const versionOf = (name: string, known: readonly PolicyView[] = []): number =>
  known.find((each) => each.name === name)?.version ?? 0;

/** What exists already and would become another one. */
function useReplaced({ policies: texts, facts }: Filled, known: readonly PolicyView[] = []): string[] {
  const knownFacts = useQuery(factsQuery).data ?? [];
  const names = texts.map(nameOf);
  return [
    ...known.filter(({ name }) => names.includes(name)).map(({ name }) => `the policy ${name}`),
    ...knownFacts
      .filter((each) => facts.some((fact) => fact.name === each.name && !isSameFact(fact, each)))
      .map(({ name, used_by }) =>
        used_by.length === 0 ? `the fact ${name}` : `the fact ${name} of ${listed(used_by)}`,
      ),
  ];
}

interface PreviewProps {
  filled: Filled;
  checked: ReturnType<typeof useCheck>;
  isCurrent: boolean;
}

function Preview({ filled, checked, isCurrent }: PreviewProps) {
  return (
    <div className="min-w-0 space-y-5">
      <Section title={filled.policies.length > 1 ? "Policies" : "Policy"}>
        <div className="h-48">
          <Suspense fallback={<Loading what="the text" />}>
            <CedarEditor label="Text of the policy" text={filled.text} />
          </Suspense>
        </div>
        {isCurrent && <PolicyProblems problems={checked.answer?.problems ?? []} />}
        {checked.error !== null && <ProblemCard error={checked.error} />}
      </Section>
      {filled.facts.length > 0 && (
        <Section title="Facts">
          <Rows name="Facts">
            {filled.facts.map((fact) => (
              <li key={fact.name} className="px-4 py-2.5">
                <Code text={fact.name} />
                <span className="block text-soft">
                  <Line text={factWords(fact)} />
                </span>
              </li>
            ))}
          </Rows>
        </Section>
      )}
      {filled.cases.length > 0 && (
        <Section title="Cases">
          <CaseRows filled={filled} results={isCurrent ? (checked.answer?.cases ?? []) : []} />
        </Section>
      )}
    </div>
  );
}

/** The cases are written for the prefilled values. Those that do not fit others are left out. */
function CaseRows({ filled, results }: { filled: Filled; results: readonly CaseResult[] }) {
  const left = results.filter(({ passed }) => !passed).length;
  return (
    <>
      <Rows name="Cases">
        {filled.cases.map((each) => {
          const result = results.find(({ name }) => name === each.name);
          return (
            <li key={each.name} className="flex flex-wrap items-center gap-2 px-4 py-2">
              <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
                <Line text={each.name} />
                <span className="text-soft">: {modeLabel(each.expect)}</span>
              </span>
              {result !== undefined && (
                <Badge tone={result.passed ? "good" : "warn"}>{result.passed ? "passes" : "left out"}</Badge>
              )}
            </li>
          );
        })}
      </Rows>
      {left > 0 && (
        <p className="text-xs text-faint">
          {counted(left, "case does", "cases do")} not fit your values or your other policies, so{" "}
          {left === 1 ? "it is" : "they are"} not added.
        </p>
      )}
    </>
  );
}

const TONES: Record<Outcome, Tone> = {
  waiting: "plain",
  saving: "plain",
  saved: "good",
  proposed: "accent",
  failed: "bad",
  skipped: "warn",
};

interface AddedProps {
  parts: readonly Part[];
  isBusy: boolean;
  onAgain: () => void;
}

function Added({ parts, isBusy, onAgain }: AddedProps) {
  const policy = parts.find(({ kind }) => kind === "policy");
  const isComplete = parts.every(({ outcome }) => outcome === "saved");
  return (
    <div className="mx-auto w-full max-w-3xl space-y-4 p-4 md:p-6">
      <div role="status">
        <h2 className="font-semibold">{isBusy ? "Adding …" : isComplete ? "Added" : "Not everything was added"}</h2>
      </div>
      <Rows name="Parts">
        {parts.map((part) => (
          <li key={`${part.kind} ${part.name}`} className="space-y-2 px-4 py-2.5">
            <p className="flex flex-wrap items-center gap-2">
              <span className="text-faint">{part.kind}</span>
              <span className="min-w-0 flex-1 basis-48">
                <Code text={part.name} />
              </span>
              {part.proposed !== undefined && (
                <Link to="/inbox/$key" params={{ key: part.proposed }} className="text-accent underline">
                  Open the proposed change
                </Link>
              )}
              <Badge tone={TONES[part.outcome]}>{outcomeText(part)}</Badge>
            </p>
            {part.error !== undefined && <ProblemCard error={part.error} />}
          </li>
        ))}
      </Rows>
      {!isBusy && (
        <p className="flex flex-wrap gap-2">
          {policy?.outcome === "saved" && (
            <Link to="/policy/policies/$policy" params={{ policy: policy.name }} className={buttonClass("primary")}>
              Open the policy
            </Link>
          )}
          {!isComplete && <Button onClick={onAgain}>Try again</Button>}
          <Link to="/policy" hash="policies" className={buttonClass("plain")}>
            Show all policies
          </Link>
        </p>
      )}
    </div>
  );
}
