// The legal hold: while it is on, nothing is erased. Switching it on takes effect at once; ending it is confirmed.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { useMay } from "../api/permissions";
import { notify } from "../frame/toasts";
import { ProblemCard } from "../ui/Bits";
import { FormDialog, Switch } from "../ui/Form";
import { changed } from "./queries";
import { daysInForce, daysText } from "./retention";

export function LegalHold({ org }: { org: Schemas["OrgView"] }) {
  const may = useMay("owner") === true;
  const isOn = org.legal_hold === true;
  const [isEnding, setEnding] = useState(false);
  const begin = useMutation({
    mutationFn: () => take(api.PATCH("/v1/org", { body: { legal_hold: true } })),
    onSuccess: async () => {
      await changed("org");
      notify("good", "Legal hold on", "Nothing is erased until it ends.");
    },
  });
  const set = (next: boolean) => {
    if (next) begin.mutate();
    else setEnding(true);
  };
  return (
    <section aria-label="Legal hold" className="space-y-4 rounded-xl border border-edge bg-card p-5">
      <Switch
        name="Legal hold"
        hint={`While it is on, nothing is erased, whatever the retention: contents of receipts, parameters, results,
          documents shown to approvers, inputs of runs, dead letters.`}
        checked={isOn}
        disabled={!may || begin.isPending}
        onChange={set}
      />
      {begin.error !== null && <ProblemCard error={begin.error} />}
      {!may && <p className="text-xs text-faint">Only owners can begin or end a legal hold.</p>}
      {isEnding && <EndHold org={org} onClose={() => setEnding(false)} />}
    </section>
  );
}

function EndHold({ org, onClose }: { org: Schemas["OrgView"]; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.PATCH("/v1/org", { body: { legal_hold: false } })),
    onSuccess: async () => {
      onClose();
      await changed("org");
      notify("good", "Legal hold ended", "The retention applies again.");
    },
  });
  return (
    <FormDialog
      title="End the legal hold?"
      submitLabel="End legal hold"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>
        Everything that is older than the retention of {daysText(daysInForce(org, Date.now()))} is erased soon after the
        hold ends. This cannot be undone.
      </p>
      {org.loosening === "two_people" && (
        <p className="text-soft">The hold ends when a second owner has approved it.</p>
      )}
    </FormDialog>
  );
}
