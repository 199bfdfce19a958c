// Adds a provider: a server whose settings are known, its key and models, and then what it can do.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Proposed } from "../api/client";
import { useMay } from "../api/permissions";
import { saveSecret } from "../catalog/connect/ConnectFields";
import { Loading, PageHead, ProblemCard } from "../ui/Bits";
import { Button, buttonClass } from "../ui/Button";
import { Choice } from "../ui/Choice";
import { Field } from "../ui/Form";
import { draftError, draftFrom, draftOf, type ProviderDraft, renamed, requestOf } from "./draft";
import { OnlyAdmins } from "./ModelsPage";
import { ProviderFields } from "./ProviderFields";
import { type Preset, type Provider, presets, providers, putProvider } from "./queries";
import { SavedProvider } from "./SavedProvider";

export function AddPage() {
  const isAdmin = useMay("admin");
  return (
    <>
      <PageHead title="Add a provider" about="Steps of automations can then ask its language models" />
      <div className="mx-auto w-full max-w-3xl p-4 md:p-6">
        {isAdmin === true && <WhenKnown />}
        {isAdmin === false && <OnlyAdmins />}
      </div>
    </>
  );
}

function WhenKnown() {
  const known = useQuery(presets);
  const others = useQuery(providers);
  const error = known.error ?? others.error;
  if (known.data !== undefined && others.data !== undefined)
    return <AddProvider known={known.data} others={others.data.map(({ provider }) => provider)} />;
  return error === null ? <Loading what="presets" /> : <ProblemCard error={error} />;
}

/** What was sent, and what came of it. */
interface Result {
  saved: Provider;
  isShown: boolean;
}

function AddProvider({ known, others }: { known: Preset[]; others: string[] }) {
  const [draft, setDraft] = useState<ProviderDraft | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [proposed, setProposed] = useState<{ error: Proposed; hasKey: boolean } | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const isOver = result?.isShown === true || proposed !== null;
  // Screen readers announce what came of it.
  useEffect(() => {
    if (isOver) top.current?.focus();
  }, [isOver]);
  const preset = known.find(({ name }) => name === draft?.preset) ?? null;
  return (
    <div ref={top} tabIndex={-1} className="space-y-5 focus:outline-none">
      {proposed !== null && (
        <>
          <ProblemCard error={proposed.error} />
          {proposed.hasKey && <p className="text-soft">The key is stored already.</p>}
          <Link to="/models" className="font-medium text-accent underline">
            Back to models
          </Link>
        </>
      )}
      {proposed === null && result?.isShown === true && (
        <SavedProvider
          provider={result.saved}
          onTested={(saved) => setResult({ saved, isShown: true })}
          onEdit={() => setResult({ ...result, isShown: false })}
        />
      )}
      {!isOver && (
        <>
          {result === null && (
            <section className="space-y-2">
              <h2 className="font-semibold">Server</h2>
              <Choice
                name="Server"
                value={draft?.preset ?? ""}
                choices={known.map((each) => [each.name, each.title, hintText(each)] as const)}
                onChange={(name) => {
                  const chosen = known.find((each) => each.name === name);
                  if (chosen !== undefined) setDraft(draftOf(chosen, draft?.models));
                }}
              />
            </section>
          )}
          {draft !== null && (
            <AddForm
              // A secret is typed for one server.
              key={draft.preset}
              draft={draft}
              preset={preset}
              saved={result?.saved ?? null}
              others={others}
              onChange={setDraft}
              onSaved={(saved) => setResult({ saved, isShown: true })}
              onProposed={(error, hasKey) => setProposed({ error, hasKey })}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Hints mark code as Markdown does. */
function hintText({ hint }: Preset): string {
  return hint.replaceAll("`", "");
}

interface FormProps {
  draft: ProviderDraft;
  preset: Preset | null;
  /** After the first time, the name stays. */
  saved: Provider | null;
  others: string[];
  onChange: (next: ProviderDraft) => void;
  onSaved: (saved: Provider) => void;
  onProposed: (error: Proposed, hasKey: boolean) => void;
}

function AddForm({ draft, preset, saved, others, onChange, onSaved, onProposed }: FormProps) {
  const [fieldError, setFieldError] = useState<string | null>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const send = useMutation({
    mutationFn: async () => {
      const hasKey = (keyField.current?.value ?? "") !== "";
      await saveSecret(draft.authentication, keyField.current);
      try {
        onSaved(await putProvider(draft.name, requestOf(draft)));
      } catch (error) {
        if (!(error instanceof Proposed)) throw error;
        onProposed(error, hasKey);
      }
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    const found = draftError(draft, saved === null ? others : []);
    setFieldError(found);
    if (found === null) send.mutate();
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      <Field
        name="Provider name"
        hint={
          <>
            Address of its calls in rules and receipts:{" "}
            <code className="font-mono">model.{draft.name === "" ? "local" : draft.name}</code>. Cannot be changed
            later.
          </>
        }
      >
        <input
          className="input font-mono"
          value={draft.name}
          maxLength={64}
          disabled={saved !== null}
          required
          onChange={(event) => onChange(renamed(draft, event.target.value.trim()))}
          spellCheck={false}
          autoCapitalize="none"
        />
      </Field>
      <ProviderFields
        draft={draft}
        before={saved === null ? null : draftFrom(saved)}
        preset={preset}
        keyField={keyField}
        onChange={onChange}
      />
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
      {send.error !== null && <ProblemCard error={send.error} />}
      <p className="text-xs text-faint">
        The test asks the first model to call a tool and to answer in a schema. It costs a few tokens.
      </p>
      <div className="flex flex-row-reverse flex-wrap gap-2 max-md:[&>*]:flex-1">
        <Button type="submit" variant="primary" disabled={send.isPending}>
          {send.isPending ? "Saving and testing …" : "Save and test"}
        </Button>
        <Link to="/models" className={buttonClass("quiet")}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
