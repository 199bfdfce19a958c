// Secrets: they are written here and used by sources. Nobody reads them back, this page neither.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Field, FormDialog } from "../ui/Form";
import { Person } from "./People";
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
      <Heading title="Secrets" about="Credentials of sources. They are sealed at once, opened only at the moment of use, and never shown again: to replace one is the only way to change it.">
        <Button look="primary" onClick={() => setOpen({ kind: "add" })}>Add a secret</Button>
      </Heading>
      <Rows name="Secrets" query={query} none={<>There is none. A source that needs a credential names a secret; add it here, or with <code className="font-mono text-xs">countersign secrets set NAME</code>.</>}>
        {(secret) => (
          <Row key={secret.id} title={<code className="font-mono"><Line text={secret.name} /></code>}
            about={<>set by <Person id={secret.set_by} /> {ago(secret.updated_at, now)}{secret.version > 1 && ` · replaced ${secret.version - 1} ${secret.version === 2 ? "time" : "times"}`}</>}>
            <Button onClick={() => setOpen({ kind: "replace", secret })} aria-label={`Replace ${plain(secret.name)}`}>Replace</Button>
            <Button look="bad" onClick={() => setOpen({ kind: "forget", secret })} aria-label={`Delete ${plain(secret.name)}`}>Delete</Button>
          </Row>
        )}
      </Rows>
      {open?.kind === "add" && <Write onClose={close} />}
      {open?.kind === "replace" && <Write secret={open.secret} onClose={close} />}
      {open?.kind === "forget" && <Forget secret={open.secret} onClose={close} />}
    </>
  );
}

function Write({ secret, onClose }: { secret?: Secret; onClose: () => void }) {
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const [isShown, setShown] = useState(false);
  const send = useMutation({
    mutationFn: () => take(api.PUT("/v1/secrets/{name}", { params: { path: { name: name.trim() } }, body: { value } })),
    onSuccess: async (kept) => {
      setValue("");
      await changed("secrets");
      notify("good", secret === undefined ? "Kept" : "Replaced", <><Line text={kept.name} /> is sealed. Nobody can read it back.</>);
      onClose();
    },
  });
  return (
    <FormDialog title={secret === undefined ? "Add a secret" : "Replace a secret"} about={secret === undefined ? undefined : <Line text={secret.name} />} does={secret === undefined ? "Keep it" : "Replace it"}
      isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      {secret === undefined && (
        <Field name="Name" hint="Sources name it so. A name that is there already is replaced.">
          <input className="input font-mono" value={name} onChange={(event) => setName(event.target.value)} required autoFocus spellCheck={false} autoComplete="off" placeholder="linear_api_key" />
        </Field>
      )}
      <Field name="Value" hint={secret === undefined ? "Blanks and line ends are kept as they are." : "The value before is gone for good. Calls under way end with it; the next ones use the new one."}>
        <textarea className={`input min-h-20 font-mono ${isShown ? "" : "[-webkit-text-security:disc]"}`} value={value} onChange={(event) => setValue(event.target.value)}
          required autoFocus={secret !== undefined} spellCheck={false} autoComplete="off" />
      </Field>
      <label className="flex items-center gap-2 text-soft"><input type="checkbox" className="accent-accent" checked={isShown} onChange={(event) => setShown(event.target.checked)} /> show what I type</label>
    </FormDialog>
  );
}

function Forget({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/secrets/{name}", { params: { path: { name: secret.name } } })),
    onSuccess: async () => {
      await changed("secrets");
      notify("good", "Deleted", <><Line text={secret.name} /> is gone.</>);
      onClose();
    },
  });
  return (
    <FormDialog title="Delete this secret?" about={<Line text={secret.name} />} does="Delete it" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>Sources that use it fail from now on, until somebody sets it again. The value cannot be brought back.</p>
    </FormDialog>
  );
}
