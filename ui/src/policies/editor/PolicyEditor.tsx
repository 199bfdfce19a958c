// The editor of a policy: its text with problems in place, what it covers, and tests of the change before it is saved.
import { useQuery } from "@tanstack/react-query";
import { Link, useBlocker, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { ApiError, Proposed } from "../../api/client";
import { LeaveDialog } from "../../automations/editor/Dialogs";
import { notify } from "../../frame/toasts";
import { number } from "../../text/number";
import { plain } from "../../text/visible";
import { Badge, Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { ComparePanel } from "../compare/ComparePanel";
import { NewerVersion } from "../NewerVersion";
import { policySchema, savePolicy } from "../queries";
import type { CaseView, PolicyProblem, PolicyView } from "../types";
import { STATES } from "../words";
import { Coverage } from "./Coverage";
import { DeletePolicy } from "./DeletePolicy";
import { checkText, type Draft, draftOf, errorsOf, hasNewer, nameOf, nameProblem, testsOfDraft } from "./draft";
import { PolicyProblems } from "./PolicyProblems";
import { SaveFields } from "./SaveFields";
import { type Checked, useCheck } from "./useCheck";

const CedarEditor = lazy(async () => ({ default: (await import("./CedarEditor")).CedarEditor }));
const BacktestPanel = lazy(async () => ({ default: (await import("../backtest/BacktestPanel")).BacktestPanel }));

interface Props {
  /** null for a new policy. */
  saved: PolicyView | null;
  /** Whether someone deleted it while it was open. */
  isDeleted?: boolean;
  names: readonly string[];
  cases: readonly CaseView[];
}

export function PolicyEditor({ saved, isDeleted = false, names, cases }: Props) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => draftOf(saved));
  const clean = useRef(draft);
  const stored = isDeleted ? null : saved;
  /** What the text is based on. */
  const [opened, setOpened] = useState(saved);
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [goTo, setGoTo] = useState<PolicyProblem | null>(null);
  const [panel, setPanel] = useState<"backtest" | "compare" | null>(null);
  const isDone = useRef(false);
  const schema = useQuery(policySchema);
  const texts = useMemo(() => [draft.text], [draft.text]);
  const checked = useCheck({ text: draft.text, policies: texts, cases });
  const problems = useMemo(
    () => (checked.text === draft.text ? (checked.answer?.problems ?? []) : []),
    [checked, draft.text],
  );
  const isChanged = draft.text !== clean.current.text || draft.state !== clean.current.state;
  const nameError = nameProblem(draft.text, saved, names);
  const isChecked = !checked.isChecking && checked.text === draft.text && errorsOf(checked.answer).length === 0;
  const tests = testsOfDraft(draft, stored);
  const isNewer = hasNewer(opened, stored);
  const isNew = stored === null && !(error instanceof Proposed);
  const canSave =
    !isBusy && !isNewer && nameError === null && (isChecked || checked.error !== null) && (isChanged || isNew);
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !isDone.current,
    enableBeforeUnload: () => isChanged && !isDone.current,
    withResolver: true,
  });

  const rebase = (on: PolicyView, next: Draft) => {
    clean.current = draftOf(on);
    setDraft(next);
    setOpened(on);
    setError(null);
  };
  const submit = async () => {
    setBusy(true);
    setError(null);
    const sent = draft;
    try {
      const version = stored === null ? 0 : (opened?.version ?? 0);
      const next = await savePolicy(nameOf(sent.text), { ...sent, version }, reason);
      clean.current = sent;
      isDone.current = true;
      notify("good", "Saved", `${plain(next.name)} is ${STATES[next.state].label.toLowerCase()}.`);
      void navigate({ to: "/policy", hash: "policies" });
    } catch (caught) {
      // The proposed change keeps the text.
      if (caught instanceof Proposed) clean.current = sent;
      setError(caught);
      setBusy(false);
    }
  };

  return (
    <>
      <header
        className={`sticky top-0 z-20 flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge
        bg-card px-4 py-2.5 md:px-6`}
      >
        <Link
          to="/policy"
          hash="policies"
          aria-label="Back to policies"
          className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk"
        >
          <Icon name="back" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-base font-semibold">{saved === null ? "New policy" : plain(saved.name)}</h1>
          <p className="truncate text-xs text-faint">{versionText(stored === null ? null : opened, isChanged)}</p>
        </div>
        <CheckBadge checked={checked} problems={problems} isCurrent={checked.text === draft.text} />
        <Button variant="primary" disabled={!canSave} onClick={() => void submit()}>
          Save
        </Button>
      </header>
      <div className="mx-auto w-full max-w-6xl space-y-6 p-4 md:p-6">
        {error !== null && (
          <ProblemCard error={error}>
            {error instanceof ApiError && error.problem.code === "case_failed" && (
              <Link to="/policy" hash="cases" className="text-accent underline">
                Open the cases
              </Link>
            )}
          </ProblemCard>
        )}
        {isDeleted && (
          <p role="status" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
            This policy was deleted. Saving creates it again.
          </p>
        )}
        {stored !== null && isNewer && (
          <NewerVersion
            version={stored.version}
            onDiscard={() => rebase(stored, draftOf(stored))}
            onKeep={() => rebase(stored, draft)}
          />
        )}
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="min-w-0 space-y-3">
            <div className="h-[20rem] md:h-[24rem]">
              <Suspense fallback={<Loading what="the editor" />}>
                <CedarEditor
                  label="Policy text"
                  text={draft.text}
                  onChange={(text) => setDraft((last) => ({ ...last, text }))}
                  problems={problems}
                  schema={schema.data}
                  goTo={goTo}
                />
              </Suspense>
            </div>
            {nameError !== null && (
              <p role="alert" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
                {plain(nameError)}
              </p>
            )}
            <PolicyProblems problems={problems} onShow={(problem) => setGoTo({ ...problem })} />
            {checked.error !== null && <ProblemCard error={checked.error} />}
            <p className="text-xs text-faint max-md:hidden">
              Ctrl Space shows what can be written here: actions, parameters, facts and times.
            </p>
            <div className="flex flex-wrap gap-2 pt-1">
              <Button
                aria-expanded={panel === "backtest"}
                onClick={() => setPanel(panel === "backtest" ? null : "backtest")}
              >
                Backtest this change
              </Button>
              {stored?.state === "enforced" && (
                <Button
                  aria-expanded={panel === "compare"}
                  onClick={() => setPanel(panel === "compare" ? null : "compare")}
                >
                  Compare with the saved policy
                </Button>
              )}
              {stored !== null && (
                <span className="md:ml-auto">
                  <DeletePolicy policy={stored} onDone={() => (isDone.current = true)} />
                </span>
              )}
            </div>
            <div className="space-y-4 pt-3 empty:hidden">
              {panel === "backtest" && (
                <Suspense fallback={<Loading what="the backtest" />}>
                  <BacktestPanel
                    request={tests.backtest}
                    about={tests.about}
                    problem={errorsOf(checked.answer).length > 0 ? "Fix the problems of the policy first." : null}
                  />
                </Suspense>
              )}
              {panel === "compare" && <ComparePanel request={tests.compare} />}
            </div>
          </div>
          <div className="min-w-0 space-y-6">
            <SaveFields draft={draft} reason={reason} onDraft={setDraft} onReason={setReason} />
            <Coverage answer={checked.text === draft.text ? checked.answer : null} schema={schema.data} />
          </div>
        </div>
      </div>
      {blocker.status === "blocked" && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />}
    </>
  );
}

function versionText(opened: PolicyView | null, isChanged: boolean): string {
  if (opened === null) return "Not saved";
  const version = `version ${number(opened.version)}, ${STATES[opened.state].label.toLowerCase()}`;
  return isChanged ? `Unsaved changes to ${version}` : `V${version.slice(1)}`;
}

interface BadgeProps {
  checked: Checked;
  problems: readonly PolicyProblem[];
  isCurrent: boolean;
}

function CheckBadge({ checked, problems, isCurrent }: BadgeProps) {
  return (
    <span role="status">
      {checked.error !== null ? (
        <Badge tone="warn">check failed</Badge>
      ) : checked.isChecking || !isCurrent ? (
        <Badge>checking …</Badge>
      ) : (
        <Badge
          tone={problems.length === 0 ? "good" : problems.some((each) => each.severity === "error") ? "bad" : "warn"}
        >
          {checkText(problems)}
        </Badge>
      )}
    </span>
  );
}
