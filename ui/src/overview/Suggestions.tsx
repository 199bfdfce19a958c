// Rules that would have answered questions, and how to create one. Left out while there is none.
import { useState } from "react";
import { useMay } from "../api/permissions";
import { notify } from "../frame/toasts";
import { Where } from "../policy/Where";
import { number } from "../text/number";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { createRule, type Suggestion } from "./queries";

export function Suggestions({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const mayCreate = useMay("admin");
  const [chosen, setChosen] = useState<Suggestion | null>(null);
  // The dialog stays, about the same rule, while the list is refetched.
  if (suggestions.length === 0 && chosen === null) return null;
  return (
    <section aria-label="Fewer questions" className="overflow-hidden rounded-xl border border-edge bg-card">
      <div className="px-4 py-2.5">
        <h2 className="font-semibold">Fewer questions</h2>
        <p className="text-xs text-faint">Rules that would have answered these questions of the whole organization.</p>
      </div>
      <ul aria-label="Suggested rules">
        {suggestions.map((each, index) => (
          <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-edge px-4 py-3">
            <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
              <RuleText suggestion={each} />: {number(each.questions)} questions, all approved.
            </p>
            {mayCreate === true && <Button onClick={() => setChosen(each)}>Create this rule …</Button>}
          </li>
        ))}
      </ul>
      {chosen !== null && <CreateRule suggestion={chosen} onClose={() => setChosen(null)} />}
    </section>
  );
}

/** `slack.send_message where channel is "C1"`. */
function RuleText({ suggestion: { action, where_words } }: { suggestion: Suggestion }) {
  return (
    <>
      <code className="font-mono text-[0.8125rem] font-medium">
        <Line text={action} />
      </code>{" "}
      <Where words={where_words} />
    </>
  );
}

function CreateRule({ suggestion, onClose }: { suggestion: Suggestion; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await createRule(suggestion);
      notify("good", "Rule created", "New requests are decided with it.");
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="Create this rule?"
      submitLabel="Create rule"
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p className="wrap-anywhere">
        Every agent of the organization may then run <RuleText suggestion={suggestion} /> without approval.
      </p>
      <p className="text-soft">The rule applies until someone deletes it on the Policy page.</p>
    </FormDialog>
  );
}
