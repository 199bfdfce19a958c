// Secrets: written here, used by sources, never shown.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { Person } from "../people/Person";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { changed, type Secret, secrets } from "./queries";
import { Heading, Row, Rows } from "./Rows";

type Open = { kind: "add" } | { kind: "replace" | "forget"; secret: Secret };

export function Secrets() {
  const query = useQuery(secrets);
  const now = useNow();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Heading
        title="Secrets"
        about="Credentials of sources, stored encrypted. A value is never shown again; you can only replace it."
      >
        <Button variant="primary" onClick={() => setOpen({ kind: "add" })}>
          Add a secret
        </Button>
      </Heading>
      <Rows
        name="Secrets"
        query={query}
        none={
          <>
            No secrets. Add one here, or with <code className="font-mono text-xs">countersign secrets set NAME</code>.
          </>
        }
      >
        {(secret) => (
          <Row
            key={secret.id}
            title={
              <code className="font-mono">
                <Line text={secret.name} />
              </code>
            }
            about={
              <>
                Set by <Person id={secret.set_by} /> {ago(secret.updated_at, now)}
                {secret.version > 1 && ` · replaced ${secret.version - 1} ${secret.version === 2 ? "time" : "times"}`}
              </>
            }
          >
            <Button onClick={() => setOpen({ kind: "replace", secret })} aria-label={`Replace ${plain(secret.name)}`}>
              Replace
            </Button>
            <Button
              variant="bad"
              onClick={() => setOpen({ kind: "forget", secret })}
              aria-label={`Delete ${plain(secret.name)}`}
            >
              Delete
            </Button>
          </Row>
        )}
      </Rows>
      {open?.kind === "add" && <EditSecret onClose={close} />}
      {open?.kind === "replace" && <EditSecret secret={open.secret} onClose={close} />}
      {open?.kind === "forget" && <DeleteSecret secret={open.secret} onClose={close} />}
    </>
  );
}

function EditSecret({ secret, onClose }: { secret?: Secret; onClose: () => void }) {
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const [isShown, setShown] = useState(false);
  const send = useMutation({
    mutationFn: () => take(api.PUT("/v1/secrets/{name}", { params: { path: { name: name.trim() } }, body: { value } })),
    onSuccess: async (saved) => {
      setValue("");
      await changed("secrets");
      notify(
        "good",
        secret === undefined ? "Saved" : "Replaced",
        <>
          <Line text={saved.name} /> is stored encrypted.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={secret === undefined ? "Add a secret" : "Replace a secret"}
      description={secret === undefined ? undefined : <Line text={secret.name} />}
      submitLabel={secret === undefined ? "Save" : "Replace"}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      {secret === undefined && (
        <Field name="Name" hint="Sources refer to this name. An existing secret with this name is replaced.">
          <input
            className="input font-mono"
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            autoFocus
            spellCheck={false}
            autoComplete="off"
            placeholder="linear_api_key"
          />
        </Field>
      )}
      <Field
        name="Value"
        hint={
          secret === undefined
            ? "Spaces and line breaks are kept."
            : "The old value is deleted. Calls in progress still use it."
        }
      >
        <textarea
          className={`input min-h-20 font-mono ${isShown ? "" : "[-webkit-text-security:disc]"}`}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          required
          autoFocus={secret !== undefined}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <label className="flex items-center gap-2 text-soft">
        <input
          type="checkbox"
          className="accent-accent"
          checked={isShown}
          onChange={(event) => setShown(event.target.checked)}
        />{" "}
        Show value
      </label>
    </FormDialog>
  );
}

function DeleteSecret({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/secrets/{name}", { params: { path: { name: secret.name } } })),
    onSuccess: async () => {
      await changed("secrets");
      notify(
        "good",
        "Deleted",
        <>
          <Line text={secret.name} /> is deleted.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Delete this secret?"
      description={<Line text={secret.name} />}
      submitLabel="Delete"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Sources that use this secret fail until it is set again. The value cannot be restored.</p>
    </FormDialog>
  );
}
