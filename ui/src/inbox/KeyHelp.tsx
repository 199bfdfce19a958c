// The keyboard shortcuts.
import { PAGES } from "../frame/pages";
import { Dialog } from "../ui/Dialog";

const KEYS: [string, string][] = [
  ["j  k", "move through the list"],
  ["Enter", "expand a group, or confirm the open dialog"],
  ["a", "approve once, or approve a grant request or a proposed change"],
  ["d", "deny, with a reason that the agent can read; discard a quarantined item"],
  ["G", "approve and create a grant"],
  ["A", "approve and always allow the action"],
  ["r", "record the outcome of an item whose outcome is unknown"],
  ["t", "release a quarantined item as text"],
  ["x", "select; then a and d answer everything selected"],
  ["Escape", "clear the selection, collapse, go back"],
  ["Ctrl K", "go to another page"],
  ...PAGES.map((page): [string, string] => [`g ${page.key}`, `go to ${page.name}`]),
];

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[4.5rem_1fr] gap-y-2">
        {KEYS.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-strong bg-sunk px-1.5 py-0.5 font-mono text-xs whitespace-pre">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-soft">
        Every answer is confirmed before it is sent, and counts only for exactly what was shown.{" "}
        <mark className="mark">{"\\u{202e}"}</mark> marks an invisible character, ⏎ a line break, and{" "}
        <mark className="mark">⟨…⟩</mark> repeated characters.
      </p>
    </Dialog>
  );
}
