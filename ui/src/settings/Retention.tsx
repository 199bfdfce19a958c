// How long contents are kept: the field, a shorter period that waits, and what a shorter one will erase.
import type { Schemas } from "../api/client";
import { useNow } from "../text/now";
import { moment } from "../text/time";
import { Field } from "../ui/Form";
import { daysText, shortening, shorteningText } from "./retention";

interface Props {
  org: Schemas["OrgView"];
  /** As typed. */
  days: string;
  may: boolean;
  onChange: (days: string) => void;
}

export function Retention({ org, days, may, onChange }: Props) {
  const waiting = shortening(org, useNow());
  const typed = Number(days);
  const isFewer = days !== "" && typed >= 1 && typed < org.receipts_kept_days;
  const isHeld = org.legal_hold === true;
  return (
    <div className="space-y-2">
      <Field
        name="Retention (days)"
        hint={`1 to 36,500. Then parameters, results, inputs of runs and the contents of receipts are erased; the other
          fields of a receipt and its proof are kept.`}
      >
        <input
          className="input max-w-40"
          type="number"
          min={1}
          max={36_500}
          step={1}
          required
          value={days}
          disabled={!may}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {waiting !== null && (
        <p className="rounded-lg bg-accent-wash px-3 py-2">
          <time dateTime={waiting.at} title={moment(waiting.at)} className="font-medium">
            {shorteningText(waiting)}
          </time>
          {may && ` To keep the longer retention, save ${waiting.before} again.`}
        </p>
      )}
      {may && isFewer && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Everything older than {daysText(typed)} is erased 7 days after this takes effect
          {isHeld && ", or when the legal hold ends if that is later"}. Erased data cannot be restored.
          {org.loosening === "two_people" && " A second owner must approve it first."}
        </p>
      )}
    </div>
  );
}
