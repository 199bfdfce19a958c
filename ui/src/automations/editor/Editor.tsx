// The editor of a definition: a form and JSON in sync, validated by the gateway while typing.
import { useQuery } from "@tanstack/react-query";
import { Link, useBlocker, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { ApiError, type Schemas } from "../../api/client";
import type { DocumentProblem } from "../../form/problems";
import { notify } from "../../frame/toasts";
import { plain } from "../../text/visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import type { Fields } from "../definition";
import { NewTokens } from "../NewTokens";
import { actions as actionsQuery, type Detail, definitionSchema, save } from "../queries";
import { InWords } from "../words/InWords";
import { ConflictDialog, LeaveDialog } from "./Dialogs";
import { fromText, fromValue, ordered } from "./document";
import { FormSide } from "./FormSide";
import { Problems, ValidationBadge } from "./Problems";
import { placeName } from "./places";
import { useValidation } from "./useValidation";
import { warnings } from "./warnings";

const DefinitionJson = lazy(async () => ({ default: (await import("./DefinitionJson")).DefinitionJson }));

interface Props {
  /** null for a new automation. */
  saved: Detail | null;
  start: Fields;
  space?: string | undefined;
  /** Whether the person wants to begin with words. */
  isInWords?: boolean;
}

type Side = "form" | "json" | "both";

export function Editor({ saved, start, space, isInWords = false }: Props) {
  const navigate = useNavigate();
  const [base, setBase] = useState(saved);
  const [doc, setDoc] = useState(() => fromValue(ordered(start)));
  const clean = useRef(saved === null ? "" : doc.text);
  const [side, setSide] = useState<Side>("form");
  const [goTo, setGoTo] = useState<{ pointer: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [hasConflict, setConflict] = useState(false);
  const [tokens, setTokens] = useState<{ id: string; all: Schemas["NewHookTokenView"][] } | null>(null);
  const isDone = useRef(false);
  const verdict = useValidation(doc.value, { automation: base?.id, space });
  const catalog = useQuery(actionsQuery);
  const schema = useQuery(definitionSchema);
  const isChanged = doc.text !== clean.current && !(saved === null && doc.text === fromValue(ordered(start)).text);
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !isDone.current,
    enableBeforeUnload: () => isChanged && !isDone.current,
    withResolver: true,
  });

  const leave = (id: string) => {
    isDone.current = true;
    void navigate({ to: "/automations/$automation", params: { automation: id } });
  };
  const submit = async (from: Detail | null) => {
    setBusy(true);
    setRefusal(null);
    try {
      const next = await save(doc.value, from === null ? null : { id: from.id, version: from.version }, space);
      setConflict(false);
      clean.current = doc.text;
      notify(
        "good",
        next.version === from?.version ? "No changes" : `Version ${next.version} saved`,
        next.version === from?.version ? "This is identical to the current version." : plain(next.name),
      );
      const ended = (next.ended_permissions ?? []).map(({ action, where_words: only }) =>
        plain(only == null ? action : `${action} where ${only}`),
      );
      if (ended.length > 0)
        notify(
          "warn",
          "Changed steps ask again",
          `Permissions that were given for steps as they were no longer apply: ${ended.join("; ")}`,
        );
      if ((next.new_tokens ?? []).length > 0) setTokens({ id: next.id, all: next.new_tokens ?? [] });
      else leave(next.id);
    } catch (error) {
      if (error instanceof ApiError && error.problem.code === "version_changed") setConflict(true);
      else setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  const show = (pointer: string) => {
    if (side === "form") setSide("json");
    setGoTo({ pointer });
  };
  const problems = useMemo<DocumentProblem[]>(
    () => (doc.broken === null ? verdict.problems : []),
    [doc.broken, verdict.problems],
  );
  const hints = useMemo(() => warnings(doc.value, catalog.data ?? []), [doc.value, catalog.data]);
  const shownProblems = useMemo(
    () => [...problems, ...(doc.broken === null ? hints : [])],
    [problems, hints, doc.broken],
  );
  const title = base === null ? "New automation" : `Edit ${plain(base.name)}`;
  if (schema.data === undefined)
    return schema.error === null ? (
      <Loading what="the editor" />
    ) : (
      <div className="p-4">
        <ProblemCard error={schema.error} />
      </div>
    );

  return (
    <>
      <header
        className={`sticky top-0 z-20 flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge
        bg-card px-4 py-2.5 md:px-6`}
      >
        <Link
          to={base === null ? "/automations" : "/automations/$automation"}
          params={base === null ? {} : { automation: base.id }}
          aria-label="Back"
          className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk"
        >
          <Icon name="back" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="truncate text-base font-semibold">{title}</h1>
          <p className="truncate text-xs text-faint">
            {base === null
              ? "Not saved yet"
              : isChanged
                ? `Unsaved changes to version ${base.version}`
                : `Version ${base.version}`}
          </p>
        </div>
        <div className="flex items-center justify-between gap-3 max-md:order-last max-md:w-full">
          <ValidationBadge verdict={verdict} broken={doc.broken} />
          <Sides side={side} onSide={setSide} />
        </div>
        <Button
          variant="primary"
          disabled={isBusy || doc.broken !== null || problems.length > 0 || (base !== null && !isChanged)}
          onClick={() => void submit(base)}
        >
          {base === null ? "Save" : "Save version"}
        </Button>
      </header>
      <div
        className={`mx-auto grid w-full gap-6 p-4 md:p-6
          ${side === "both" ? "max-w-[100rem] lg:grid-cols-2" : "max-w-4xl"}`}
      >
        <div className="col-span-full min-w-0">
          <InWords
            saved={base}
            start={start}
            doc={doc}
            space={space}
            isOpenAtFirst={isInWords}
            onDefinition={(value) => setDoc(fromValue(ordered(value)))}
          />
        </div>
        <div className="col-span-full space-y-3 empty:hidden">
          {refusal !== null && <ProblemCard error={refusal} />}
          {catalog.error !== null && <ProblemCard error={catalog.error} />}
          <Problems title="Cannot be saved yet" problems={problems} onShow={show} tone="bad" />
          {problems.length === 0 && (
            <>
              <Problems title="Can be saved, but would fail when it runs" problems={shownProblems} onShow={show} />
              {doc.broken === null && (
                <Problems
                  title="Worth checking"
                  problems={verdict.worth}
                  nameOf={(pointer) => placeName(doc.value, pointer)}
                  onShow={show}
                  tone="plain"
                />
              )}
            </>
          )}
        </div>
        {side !== "json" && (
          <div className="min-w-0">
            {doc.broken !== null ? (
              <p role="alert" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
                Invalid JSON: {plain(doc.broken)}. Fix it to use the form.
              </p>
            ) : (
              <FormSide
                definition={doc.value}
                problems={shownProblems}
                outlooks={verdict.steps}
                schedules={verdict.schedules}
                actions={catalog.data ?? []}
                schema={schema.data}
                onChange={(value) => setDoc(fromValue(ordered(value)))}
              />
            )}
          </div>
        )}
        {side !== "form" && (
          <div
            className={`min-h-96 min-w-0
              ${side === "both" ? "h-[70dvh] lg:sticky lg:top-20 lg:h-[calc(100dvh-7rem)]" : "h-[75dvh]"}`}
          >
            <Suspense fallback={<Loading what="the editor" />}>
              <DefinitionJson
                text={doc.text}
                broken={doc.broken}
                problems={shownProblems}
                definition={doc.value}
                actions={catalog.data ?? []}
                goTo={goTo}
                onChange={(text) => setDoc((last) => fromText(text, last.value))}
              />
            </Suspense>
          </div>
        )}
      </div>
      {blocker.status === "blocked" && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />}
      {hasConflict && base !== null && (
        <ConflictDialog
          base={base}
          mine={doc.value}
          isBusy={isBusy}
          onClose={() => setConflict(false)}
          onOver={(latest) => {
            setBase(latest);
            void submit(latest);
          }}
          onTake={(latest) => {
            const latestDoc = fromValue(ordered(latest.definition as Fields));
            setBase(latest);
            setDoc(latestDoc);
            clean.current = latestDoc.text;
            setConflict(false);
          }}
        />
      )}
      <NewTokens tokens={tokens?.all ?? []} onClose={() => tokens !== null && leave(tokens.id)} />
    </>
  );
}

const SIDES: [Side, string][] = [
  ["form", "Form"],
  ["json", "JSON"],
  ["both", "Both"],
];

function Sides({ side, onSide }: { side: Side; onSide: (side: Side) => void }) {
  return (
    <div role="group" aria-label="View" className="flex rounded-lg border border-strong p-0.5">
      {SIDES.map(([each, name]) => (
        <button
          key={each}
          type="button"
          aria-pressed={side === each}
          onClick={() => onSide(each)}
          className={`min-h-9 rounded-md px-3 font-medium md:min-h-7 ${each === "both" ? "max-lg:hidden" : ""}
            ${side === each ? "bg-accent-wash text-accent" : "text-soft hover:text-ink"}`}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
