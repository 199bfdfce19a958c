// Several requests at once: a group of similar ones or a selection.
import { useQuery } from "@tanstack/react-query";
import { me } from "../api/queries";
import { CompareTable } from "../approval/bulk/CompareTable";
import { type Approval, answerable, fitsInTable, groupItems, MAX_BULK } from "../approval/bulk/groups";
import { SignSeparately } from "../approval/bulk/SignSeparately";
import { openBulk } from "../approval/DialogHost";
import { useHotkeys } from "../frame/hotkeys";
import { Button, Key } from "../ui/Button";

interface Props {
  items: Approval[];
  isPicked: boolean;
  isReady: () => boolean;
  onClear: () => void;
  onDone: () => void;
}

export function GroupPane({ items, isPicked, isReady, onClear, onDone }: Props) {
  const role = useQuery(me).data?.role;
  const short = items.filter(fitsInTable);
  const now = short.slice(0, MAX_BULK);
  const approvable = answerable("approve", now).length;
  const ask = (verdict: "approve" | "deny") => {
    if (role !== "member" && answerable(verdict, now).length > 0) openBulk({ verdict, items: now, onDone });
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
          <p className="text-soft">
            {isPicked
              ? "Your selection. Approve or deny all of it at once."
              : "These requests are for the same action with different values. Answer them together, or open one."}
          </p>
          {groupItems(now).map((alike) => (
            <CompareTable key={alike.key} items={alike.items} isLinked={!isPicked} />
          ))}
          {approvable < now.length && <SignSeparately count={now.length - approvable} of={now.length} />}
          <NotShown items={items} short={short.length} shown={now.length} />
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
                {approvable === 0 ? (
                  "Approve one by one"
                ) : (
                  <>
                    Approve {approvable} … <Key name="a" />
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
                Deny {now.length} … <Key name="d" />
              </Button>
            </>
          )}
        </div>
      </footer>
    </article>
  );
}

function NotShown({ items, short, shown }: { items: Approval[]; short: number; shown: number }) {
  const long = items.length - short;
  return (
    <>
      {short > shown && (
        <p className="rounded-xl bg-sunk px-4 py-3 text-soft">
          {short - shown} more requests are similar. At most {MAX_BULK} can be answered at once; the others come next.
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
