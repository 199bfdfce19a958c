// Changes the limits of a day. Raising or removing one loosens: a second owner may have to approve it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { org } from "../api/queries";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { Field, FormDialog } from "../ui/Form";
import { putBudget, type Spending } from "./queries";
import { isHigher, isUsedUp, limitsOf, readTokens, readUsd, typedLimit, usageOf } from "./spending";

interface Props {
  spending: Spending;
  onClose: () => void;
}

export function BudgetDialog({ spending, onClose }: Props) {
  const needsTwo = useQuery(org).data?.loosening === "two_people";
  const now = useNow();
  // What was saved when the dialog was opened; the page beneath goes on loading.
  const [before] = useState(() => limitsOf(spending.budget));
  const [money, setMoney] = useState(typedLimit(before.usd));
  const [tokens, setTokens] = useState(typedLimit(before.tokens));
  const [fieldError, setFieldError] = useState<string | null>(null);
  const typed = { usd: readUsd(money), tokens: readTokens(tokens) };
  const limits =
    typed.usd === undefined || typed.tokens === undefined ? null : { usd: typed.usd, tokens: typed.tokens };
  const isLooser = limits !== null && isHigher(before, limits);
  const send = useMutation({
    mutationFn: putBudget,
    onSuccess: () => {
      notify("good", "Saved", "The limits apply to the next call.");
      onClose();
    },
  });
  const submit = () => {
    setFieldError(
      typed.usd === undefined
        ? "USD per day must be an amount such as 25 or 0.5, at most 1000000."
        : typed.tokens === undefined
          ? "Tokens per day must be a whole number such as 2000000."
          : null,
    );
    if (limits !== null) send.mutate({ usd_per_day: limits.usd, tokens_per_day: limits.tokens });
  };
  return (
    <FormDialog
      title="Change limits of models"
      description="For all model calls of the organization in a day. A day begins at midnight UTC."
      submitLabel="Save limits"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field
        name="USD per day (optional)"
        hint="Empty for no limit. With a limit, a model whose price is unknown is refused."
      >
        <input
          className="input max-w-48"
          inputMode="decimal"
          autoComplete="off"
          value={money}
          onChange={(event) => setMoney(event.target.value)}
          autoFocus
        />
      </Field>
      <Field name="Tokens per day (optional)" hint="Read and written together. Empty for no limit.">
        <input
          className="input max-w-48"
          inputMode="numeric"
          autoComplete="off"
          value={tokens}
          onChange={(event) => setTokens(event.target.value)}
        />
      </Field>
      {limits !== null && isUsedUp(usageOf(spending, now), limits) && (
        <p role="status" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Today's usage is at or above this limit. Further calls are refused until midnight UTC.
        </p>
      )}
      {needsTwo && isLooser && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          A second owner must approve this. Until then nothing changes.
        </p>
      )}
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
    </FormDialog>
  );
}
