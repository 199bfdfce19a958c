// Several requests on the page at once: those that are alike, or those that were picked, with the two answers that can be
// given to all of them.
import { useQuery } from "@tanstack/react-query";
import { me } from "../api/queries";
import { useHotkeys } from "../frame/hotkeys";
import { Button, Key } from "../ui/Button";
import { answerable, type Approval, fitsTogether, MOST_TOGETHER, sortAlike } from "./alike";
import { askTogether } from "./asking";
import { Compare } from "./Compare";
import { LeftOut } from "./LeftOut";

interface Props {
  items: Approval[];
  isPicked: boolean;
  isReady: () => boolean;
  onClear: () => void;
  onDone: () => void;
}

export function Together({ items, isPicked, isReady, onClear, onDone }: Props) {
  const role = useQuery(me).data?.role;
  const short = items.filter(fitsTogether);
  const now = short.slice(0, MOST_TOGETHER);
  const yes = answerable("approve", now).length;
  const ask = (verdict: "approve" | "deny") => {
    if (role !== "member" && answerable(verdict, now).length > 0) askTogether({ verdict, items: now, onDone });
  };
  const byKey = (verdict: "approve" | "deny") => () => { if (isReady()) ask(verdict); };
  useHotkeys({ a: byKey("approve"), d: byKey("deny") });
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label="Several requests">
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-8 md:py-6" tabIndex={0} role="region" aria-label="What is asked for">
        <div className="mx-auto max-w-4xl space-y-6">
          <p className="text-soft">{isPicked ? "What you picked, to be answered together." : "These ask for the same action and differ at most in values. Answer them together, or open one."}</p>
          {sortAlike(now).map((alike) => <Compare key={alike.key} items={alike.items} isLinked={!isPicked} />)}
          {yes < now.length && <LeftOut count={now.length - yes} of={now.length} />}
          <Rest items={items} short={short.length} shown={now.length} />
        </div>
      </div>
      <footer className="border-t border-edge bg-card px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-8">
        <div className="mx-auto flex max-w-4xl gap-2">
          {role === "member" ? <p className="text-soft">You can read this. Admins and owners answer it.</p> : (
            <>
              <Button look="primary" className="flex-1 md:flex-none" disabled={yes === 0} onClick={() => ask("approve")}>{yes === 0 ? "Approve one by one" : <>Approve {yes} once … <Key name="a" /></>}</Button>
              {isPicked && <Button look="quiet" className="max-md:hidden" onClick={onClear}>Pick none <Key name="Esc" /></Button>}
              <Button look="bad" className="flex-1 md:ml-auto md:flex-none" disabled={now.length === 0} onClick={() => ask("deny")}>Deny {now.length} … <Key name="d" /></Button>
            </>
          )}
        </div>
      </footer>
    </article>
  );
}

/** What cannot be answered here, and why. */
function Rest({ items, short, shown }: { items: Approval[]; short: number; shown: number }) {
  const long = items.length - short;
  return (
    <>
      {short > shown && <p className="rounded-xl bg-sunk px-4 py-3 text-soft">{short - shown} more are like these. At most {MOST_TOGETHER} are answered at once, so that each can be read; the others come next.</p>}
      {long > 0 && <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">{long} {long === 1 ? "has" : "have"} too much in {long === 1 ? "it" : "them"} to be read among others. Open {long === 1 ? "it" : "each"} in the list to answer it by itself.</p>}
    </>
  );
}
