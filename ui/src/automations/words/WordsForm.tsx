// What the person wants, and which model is asked. Only admins can list the providers; for others the gateway chooses.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useMay } from "../../api/permissions";
import { providers as providersQuery } from "../../models/queries";
import { Loading } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Form";
import { ModelToAsk } from "./ModelToAsk";
import { type Choice, listedChoice, MOST_WORDS } from "./words";

interface Props {
  words: string;
  onWords: (words: string) => void;
  /** The choice of provider and model; null as long as nothing is chosen. */
  wanted: Choice | null;
  onWanted: (choice: Choice) => void;
  /** Whether the model changes what is in the editor. */
  isChange: boolean;
  isBroken: boolean;
  isWaiting: boolean;
  onPropose: (choice: Choice | null) => void;
  onCancel: () => void;
}

export function WordsForm(props: Props) {
  const { words, onWords, wanted, onWanted, isChange, isBroken, isWaiting, onPropose, onCancel } = props;
  const isAdmin = useMay("admin");
  const { data, error } = useQuery({ ...providersQuery, enabled: isAdmin === true });
  const listed = data?.filter(({ enabled }) => enabled);
  if (isAdmin !== false && listed === undefined && error === null) return <Loading what="model providers" />;
  if (listed?.length === 0) return <NoProvider />;
  const choice = listedChoice(listed ?? [], wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWaiting) onPropose(choice);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Field
        name="Say what you want"
        hint={`The model ${isChange ? "changes the definition in the editor" : "writes a new definition"}. It sees
          your text, the actions, your time zone${isChange ? " and the definition" : ""}, and no secrets.`}
      >
        <textarea
          className="input min-h-24"
          rows={3}
          maxLength={MOST_WORDS}
          value={words}
          placeholder={
            isChange
              ? "Half past eight instead of nine, and to #ops"
              : "Every weekday at nine, what is still to do in Linear, as one message in Slack"
          }
          onChange={(event) => onWords(event.target.value)}
        />
      </Field>
      <ModelToAsk providers={listed ?? []} choice={choice} isDisabled={isWaiting} onChoice={onWanted} />
      {isBroken && <p className="text-warn">Fix the JSON in the editor first.</p>}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={isWaiting || isBroken || words.trim() === ""}>
          Propose
        </Button>
        {isWaiting && (
          <>
            <Button variant="quiet" onClick={onCancel}>
              Cancel request
            </Button>
            <p role="status" className="animate-pulse text-soft">
              The model writes a definition. This takes up to some minutes.
            </p>
          </>
        )}
      </div>
    </form>
  );
}

/** It opens beside the editor, so that nothing typed is lost. */
function NoProvider() {
  return (
    <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
      This needs a provider of language models:{" "}
      <Link to="/models" target="_blank" className="font-medium underline">
        set one up under Models
      </Link>{" "}
      (new tab).
    </p>
  );
}
