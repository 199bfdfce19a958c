// Which keys do what.
import { PAGES } from "../frame/pages";
import { Dialog } from "../ui/Dialog";

const KEYS: [string, string][] = [
  ["j  k", "move in the list"],
  ["Enter", "show each of those that are alike; or answer yes to the question that is open"],
  ["a", "approve once; or give what an agent asks to be granted"],
  ["d", "deny; you are asked why, and the agent can read it"],
  ["G", "approve, and the like of it within bounds"],
  ["A", "approve, and write a rule that allows the action from now on"],
  ["r", "say what became of an item whose outcome nobody knows"],
  ["x", "pick; then a and d answer all that is picked"],
  ["Escape", "pick none; fold; back"],
  ["Ctrl K", "go to another page"],
  ...PAGES.map((page): [string, string] => [`g ${page.key}`, `go to ${page.name}`]),
];

export function Help({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[4.5rem_1fr] gap-y-2">
        {KEYS.map(([key, does]) => (
          <div key={key} className="contents">
            <dt><kbd className="rounded border border-strong bg-sunk px-1.5 py-0.5 font-mono text-xs whitespace-pre">{key}</kbd></dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-soft">
        Every answer is asked for once more before it is sent, and is bound to exactly what was shown. <mark className="mark">{"\\u{202e}"}</mark> stands for a
        character that cannot be seen, ⏎ for a line end, <mark className="mark">⟨…⟩</mark> for something that is told by its number.
      </p>
    </Dialog>
  );
}
