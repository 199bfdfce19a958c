// Form fields for the address and the authentication of a server.
import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { api, take } from "../../api/client";
import { queries } from "../../api/queries";
import { Choice } from "../../ui/Choice";
import { Field } from "../../ui/Form";
import type { Authentication, AuthenticationKind, ServerAddress } from "./connect";

export function AddressFields({
  address,
  onChange,
}: {
  address: ServerAddress;
  onChange: (next: ServerAddress) => void;
}) {
  const set = (part: Partial<ServerAddress>) => onChange({ ...address, ...part });
  if (address.kind === "stdio") {
    return (
      <Field name="Command" hint="The name the operator configured for this command.">
        <input
          className="input font-mono"
          value={address.place}
          maxLength={200}
          onChange={(event) => set({ place: event.target.value })}
          placeholder="search"
          spellCheck={false}
        />
      </Field>
    );
  }
  return (
    <>
      <Field name={address.kind === "mcp" ? "URL of the MCP server" : "URL of the OpenAPI document"}>
        <input
          className="input font-mono"
          type="url"
          value={address.place}
          maxLength={2000}
          onChange={(event) => set({ place: event.target.value.trim() })}
          placeholder={address.kind === "mcp" ? "https://mcp.example.com/mcp" : "https://api.example.com/openapi.json"}
          spellCheck={false}
        />
      </Field>
      {address.kind === "openapi" && (
        <Field name="Base URL (optional)" hint="Only if it differs from the document.">
          <input
            className="input font-mono"
            type="url"
            value={address.base_url}
            maxLength={2000}
            onChange={(event) => set({ base_url: event.target.value.trim() })}
            placeholder="https://api.example.com/v2"
            spellCheck={false}
          />
        </Field>
      )}
    </>
  );
}

const METHODS: readonly (readonly [AuthenticationKind, string, string])[] = [
  ["none", "None", "the server needs no credentials"],
  ["bearer", "Bearer token", "Authorization: Bearer …"],
  ["header", "Header", "for example X-Api-Key"],
  ["oauth", "OAuth", "authorize on the server's own page"],
];

interface AuthenticationProps {
  authentication: Authentication;
  kind: ServerAddress["kind"];
  /** The value is read from the field when it is sent and never stored in state. */
  value: RefObject<HTMLInputElement | null>;
  onChange: (next: Authentication) => void;
}

export function AuthenticationFields({ authentication, kind, value, onChange }: AuthenticationProps) {
  const set = (part: Partial<Authentication>) => onChange({ ...authentication, ...part });
  if (kind === "stdio") return <p className="text-soft">The operator configures the credentials of a command.</p>;
  return (
    <div className="space-y-4">
      <Choice
        name="Authentication"
        value={authentication.method}
        choices={kind === "mcp" ? METHODS : METHODS.slice(0, 3)}
        onChange={(method) => set({ method })}
      />
      {authentication.method === "header" && (
        <Field name="Header name">
          <input
            className="input font-mono"
            value={authentication.header}
            maxLength={100}
            onChange={(event) => set({ header: event.target.value.trim() })}
            placeholder="X-Api-Key"
            spellCheck={false}
          />
        </Field>
      )}
      {(authentication.method === "bearer" || authentication.method === "header") && (
        <SecretFields name={authentication.secret} value={value} onChange={(secret) => set({ secret })} />
      )}
      {authentication.method === "oauth" && (
        <p className="text-soft">
          You authorize on the server's page in the next step. The token is stored in the secret{" "}
          <code className="font-mono">{authentication.secret}</code> and renewed automatically.
        </p>
      )}
    </div>
  );
}

interface SecretProps {
  name: string;
  value: AuthenticationProps["value"];
  onChange: (name: string) => void;
}

/** An existing secret, or a new one with its value. */
export function SecretFields({ name, value, onChange }: SecretProps) {
  const secrets =
    useQuery({
      queryKey: ["secrets", "names"],
      queryFn: ({ signal }) => take(api.GET("/v1/secrets", { params: { query: { limit: 100 } }, signal })),
    }).data?.items ?? [];
  const isStored = secrets.some((secret) => secret.name === name);
  return (
    <>
      <Field
        name="Secret name"
        hint={
          isStored
            ? "This secret exists. Leave the value empty to use it unchanged."
            : "The value is stored encrypted under this name."
        }
      >
        <input
          className="input font-mono"
          list="secrets-kept"
          value={name}
          maxLength={100}
          onChange={(event) => onChange(event.target.value.trim())}
          spellCheck={false}
        />
      </Field>
      <datalist id="secrets-kept">
        {secrets.map((secret) => (
          <option key={secret.id} value={secret.name} />
        ))}
      </datalist>
      <Field
        name={isStored ? "New value (optional)" : "Value"}
        hint="Stored encrypted. Nobody can read it back, and agents never see it."
      >
        <input
          ref={value}
          className="input font-mono"
          type="password"
          autoComplete="new-password"
          maxLength={16384}
          spellCheck={false}
          required={!isStored}
        />
      </Field>
    </>
  );
}

/** Saves the value in the field, if any, and clears the field. */
export async function saveSecret(authentication: Authentication, field: HTMLInputElement | null): Promise<void> {
  if (
    field === null ||
    field.value === "" ||
    (authentication.method !== "bearer" && authentication.method !== "header")
  )
    return;
  await take(
    api.PUT("/v1/secrets/{name}", { params: { path: { name: authentication.secret } }, body: { value: field.value } }),
  );
  field.value = "";
  void queries.invalidateQueries({ queryKey: ["secrets"] });
}
