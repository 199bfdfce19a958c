// The fields of connecting a server: where it is, and how it is proven that we may. Used to connect one, and to change one.
import { useQuery } from "@tanstack/react-query";
import { cloneElement, type ReactElement, type ReactNode, type RefObject, useId } from "react";
import { api, take } from "../api/client";
import { queries } from "../api/queries";
import type { How, Proof, Where } from "./connect";

/** A field with its name, and beside it what it is for, which is read out after the name. */
export function Field({ name, children, about }: { name: string; children: ReactElement<{ "aria-describedby"?: string }>; about?: ReactNode }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="flex flex-col gap-1">
        <span className="font-medium">{name}</span>
        {about === undefined ? children : cloneElement(children, { "aria-describedby": id })}
      </label>
      {about !== undefined && <span id={id} className="text-xs text-faint">{about}</span>}
    </div>
  );
}

/** One of a few, each with a line that says what it means. */
export function Choice<T extends string>({ name, value, choices, onChange }: { name: string; value: T; choices: readonly (readonly [T, string, string])[]; onChange: (next: T) => void }) {
  return (
    <div role="radiogroup" aria-label={name} className={`grid gap-2 ${choices.length === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2"}`}>
      {choices.map(([each, title, about]) => (
        <label key={each} className="flex cursor-pointer items-start gap-2.5 rounded-lg border border-strong px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-wash">
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} className="mt-0.5 accent-accent" />
          <span><span className="block font-medium">{title}</span><span className="block text-xs text-soft">{about}</span></span>
        </label>
      ))}
    </div>
  );
}

export function PlaceFields({ where, onChange }: { where: Where; onChange: (next: Where) => void }) {
  const set = (part: Partial<Where>) => onChange({ ...where, ...part });
  if (where.kind === "stdio") {
    return (
      <Field name="Declared command" about="The name under which the operator declared it. Nobody else says which programs run.">
        <input className="input font-mono" value={where.place} maxLength={200} onChange={(event) => set({ place: event.target.value })} placeholder="search" spellCheck={false} />
      </Field>
    );
  }
  return (
    <>
      <Field name={where.kind === "mcp" ? "Address of the MCP server" : "Address of its OpenAPI document"}>
        <input className="input font-mono" type="url" value={where.place} maxLength={2000} onChange={(event) => set({ place: event.target.value.trim() })} placeholder={where.kind === "mcp" ? "https://mcp.example.com/mcp" : "https://api.example.com/openapi.json"} spellCheck={false} />
      </Field>
      {where.kind === "openapi" && (
        <Field name="Where its operations are called" about="Only if that is not where the document says.">
          <input className="input font-mono" type="url" value={where.base_url} maxLength={2000} onChange={(event) => set({ base_url: event.target.value.trim() })} placeholder="https://api.example.com/v2" spellCheck={false} />
        </Field>
      )}
    </>
  );
}

const PROOFS: readonly (readonly [Proof, string, string])[] = [
  ["none", "Nothing", "the server lets everybody in"],
  ["bearer", "A bearer token", "Authorization: Bearer …"],
  ["header", "A header", "for example X-Api-Key"],
  ["oauth", "OAuth", "you say yes at the server's own page"],
];

interface HowProps {
  how: How;
  kind: Where["kind"];
  /** The value is read from the field when it is sent, and kept nowhere. */
  value: RefObject<HTMLInputElement | null>;
  onChange: (next: How) => void;
}

export function HowFields({ how, kind, value, onChange }: HowProps) {
  const kept = useQuery({ queryKey: ["secrets", "names"], queryFn: ({ signal }) => take(api.GET("/v1/secrets", { params: { query: { limit: 100 } }, signal })) }).data?.items ?? [];
  const isKept = kept.some((secret) => secret.name === how.secret);
  const set = (part: Partial<How>) => onChange({ ...how, ...part });
  if (kind === "stdio") return <p className="text-soft">A declared command has the credentials that the operator gave it.</p>;
  return (
    <div className="space-y-4">
      <Choice name="How it is proven that we may" value={how.proof} choices={kind === "mcp" ? PROOFS : PROOFS.slice(0, 3)} onChange={(proof) => set({ proof })} />
      {how.proof === "header" && (
        <Field name="Name of the header"><input className="input font-mono" value={how.header} maxLength={100} onChange={(event) => set({ header: event.target.value.trim() })} placeholder="X-Api-Key" spellCheck={false} /></Field>
      )}
      {(how.proof === "bearer" || how.proof === "header") && (
        <>
          <Field name="Name of the secret" about={isKept ? "There is a secret of this name; without a new value it is used as it is." : "Under this name the value is kept, sealed."}>
            <input className="input font-mono" list="secrets-kept" value={how.secret} maxLength={100} onChange={(event) => set({ secret: event.target.value.trim() })} spellCheck={false} />
          </Field>
          <datalist id="secrets-kept">{kept.map((secret) => <option key={secret.id} value={secret.name} />)}</datalist>
          <Field name={isKept ? "New value, if it should change" : "Value"} about="It is sealed at once, can be used and never be read back. No agent sees it.">
            <input ref={value} className="input font-mono" type="password" autoComplete="new-password" maxLength={16384} spellCheck={false} required={!isKept} />
          </Field>
        </>
      )}
      {how.proof === "oauth" && <p className="text-soft">In the next step you are shown its page. What it gives us is kept under the secret <code className="font-mono">{how.secret}</code> and renewed by itself.</p>}
    </div>
  );
}

/** Writes the value in the field, if there is one, and empties the field. */
export async function keepSecret(how: How, field: HTMLInputElement | null): Promise<void> {
  if (field === null || field.value === "" || (how.proof !== "bearer" && how.proof !== "header")) return;
  await take(api.PUT("/v1/secrets/{name}", { params: { path: { name: how.secret } }, body: { value: field.value } }));
  field.value = "";
  void queries.invalidateQueries({ queryKey: ["secrets"] });
}
