// Several requests at once: a group of similar ones, what a model asked in one turn, or a selection.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keyOf, me } from "../api/queries";
import { CompareTable } from "../approval/bulk/CompareTable";
import { Excluded } from "../approval/bulk/Excluded";
import { type Approval, answerable, fitsInTable, groupItems, MAX_BULK, runOf } from "../approval/bulk/groups";
import { RevealSeparately, SignSeparately } from "../approval/bulk/SignSeparately";
import { useQuestions } from "../approval/bulk/useQuestions";
import { openBulk } from "../approval/DialogHost";
import { useHotkeys } from "../frame/hotkeys";
import { Line } from "../text/Visible";
import { Loading } from "../ui/Bits";
import { Button, Key } from "../ui/Button";

interface Props {
  items: Approval[];
  isPicked: boolean;
  isReady: () => boolean;
  onClear: () => void;
  onDone: () => void;
}

const NONE: Approval[] = [];

export function GroupPane({ items, isPicked, isReady, onClear, onDone }: Props) {
  const role = useQuery(me).data?.role;
  const run = isPicked ? null : runOf(items);
  // The questions of a model are shown with their documents, which also say whether they are too long.
  const questions = useQuestions(run === null ? NONE : items.slice(0, MAX_BULK));
  const short = run === null ? items.filter(fitsInTable) : items;
  const now = run === null ? short.slice(0, MAX_BULK) : (questions?.items ?? NONE);
  const isLoading = run !== null && questions === null;
  const unsigned = answerable("approve", now);
  const approvable = unsigned.filter((item) => item.shown == null || item.shown.hidden.length === 0).length;
  const ask = (verdict: "approve" | "deny") => {
    const isAny = verdict === "approve" ? approvable > 0 : now.length > 0;
    if (role !== "member" && isAny) openBulk({ verdict, items: now, isInOrder: run !== null, onDone });
  };
  const byKey = (verdict: "approve" | "deny") => () => {
    if (isReady()) ask(verdict);
  };
  useHotkeys({ a: byKey("approve"), d: byKey("deny") });
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label="Several requests">
      <div
        className="min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-8 md:py-6"
        tabIndex={0}
        role="region"
        aria-label="Request"
      >
        <div className="mx-auto max-w-4xl space-y-6">
          {run === null ? (
            <p className="text-soft">
              {isPicked
                ? "Your selection. Approve or deny all of it at once."
                : "These requests are for the same action with different values. Answer them together, or open one."}
            </p>
          ) : (
            <AboutQuestions run={run} items={items} />
          )}
          {isLoading && <Loading what="the questions" />}
          {groupItems(now).map((alike) => (
            <CompareTable
              key={alike.key}
              items={alike.items}
              isLinked={!isPicked}
              {...(run !== null && { number: (item) => numberIn(now, item) })}
            />
          ))}
          {questions !== null && <Excluded list={questions.excluded} isLinked />}
          {unsigned.length < now.length && <SignSeparately count={now.length - unsigned.length} of={now.length} />}
          {approvable < unsigned.length && <RevealSeparately count={unsigned.length - approvable} of={now.length} />}
          <NotShown items={items} short={short.length} shown={Math.min(short.length, MAX_BULK)} />
        </div>
      </div>
      <footer className="border-t border-edge bg-card px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-8">
        <div className="mx-auto flex max-w-4xl gap-2">
          {role === "member" ? (
            <p className="text-soft">You can read this item. Only admins and owners can approve or deny it.</p>
          ) : (
            <>
              <Button
                variant="primary"
                className="flex-1 md:flex-none"
                disabled={approvable === 0}
                onClick={() => ask("approve")}
              >
                {approvable === 0 && !isLoading ? (
                  "Approve one by one"
                ) : (
                  <>
                    Approve {isLoading ? items.length : approvable} … <Key name="a" />
                  </>
                )}
              </Button>
              {isPicked && (
                <Button variant="quiet" className="max-md:hidden" onClick={onClear}>
                  Clear selection <Key name="Esc" />
                </Button>
              )}
              <Button
                variant="bad"
                className="flex-1 md:ml-auto md:flex-none"
                disabled={now.length === 0}
                onClick={() => ask("deny")}
              >
                Deny {isLoading ? items.length : now.length} … <Key name="d" />
              </Button>
            </>
          )}
        </div>
      </footer>
    </article>
  );
}

function numberIn(items: readonly Approval[], item: Approval): number {
  return items.findIndex((each) => keyOf(each) === keyOf(item)) + 1;
}

function AboutQuestions({ run, items }: { run: string; items: Approval[] }) {
  const agent = items[0]?.invocation.agent ?? "";
  return (
    <p className="text-soft wrap-anywhere">
      A model asked these {items.length} questions in one step of <Line text={agent} />. Answer them together, or open
      one. Approved actions run in the order of the numbers.{" "}
      <Link to="/runs/$run" params={{ run }} className="font-medium text-accent underline">
        Open the run
      </Link>
    </p>
  );
}

function NotShown({ items, short, shown }: { items: Approval[]; short: number; shown: number }) {
  const long = items.length - short;
  return (
    <>
      {short > shown && (
        <p className="rounded-xl bg-sunk px-4 py-3 text-soft">
          {short - shown} more {short - shown === 1 ? "request is" : "requests are"} not shown. At most {MAX_BULK} can
          be answered at once; the others come next.
        </p>
      )}
      {long > 0 && (
        <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
          {long} {long === 1 ? "request is" : "requests are"} too long for this table. Open{" "}
          {long === 1 ? "it" : "each one"} in the list to answer it.
        </p>
      )}
    </>
  );
}
