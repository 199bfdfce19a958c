// The first steps of connecting a source: server and authentication.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { api, take } from "../../api/client";
import { ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Choice } from "../../ui/Choice";
import { Field } from "../../ui/Form";
import { Icon } from "../../ui/icons";
import { type Connector, catalogChanged, type Integration, sources } from "../queries";
import { AddressFields, AuthenticationFields, saveSecret } from "./ConnectFields";
import {
  type Authentication,
  addressError,
  authenticationError,
  isWebAddress,
  nameFrom,
  type ServerAddress,
  type ServerKind,
} from "./connect";

export function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-row-reverse flex-wrap gap-2 max-md:[&>*]:flex-1">{children}</div>;
}

const KINDS: readonly (readonly [ServerKind, string, string])[] = [
  ["mcp", "MCP server", "over HTTP"],
  ["openapi", "HTTP API", "with an OpenAPI document"],
  ["stdio", "Command", "an MCP server configured by the operator"],
];

interface AddressProps {
  integrations: Integration[];
  address: ServerAddress;
  connector: Connector | null;
  onChange: (next: ServerAddress) => void;
  onIntegration: (chosen: Integration) => void;
  onNext: () => void;
}

export function AddressStep({ integrations, address, connector, onChange, onIntegration, onNext }: AddressProps) {
  const [fieldError, setFieldError] = useState<string | null>(null);
  const known = useQuery(sources).data?.items ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isNameUsed = connector === null && known.some((each) => each.source === address.source);
    const found =
      addressError(address) ??
      (isNameUsed ? `A source with this name already exists: ${address.source}. Choose another name.` : null);
    setFieldError(found);
    if (found === null) onNext();
  };
  const change = (next: ServerAddress) => {
    const isSuggested = address.source === "" || address.source === nameFrom(address.place);
    onChange(
      connector === null && isSuggested && next.place !== address.place
        ? { ...next, source: nameFrom(next.place) }
        : next,
    );
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      {connector === null && <Integrations all={integrations} onChoose={onIntegration} />}
      <section className="space-y-2">
        <h2 className="font-semibold">{connector === null ? "Server" : "Edit server address"}</h2>
        {connector === null && (
          <Choice
            name="Kind of server"
            value={address.kind}
            choices={KINDS}
            onChange={(kind) => onChange({ ...address, kind })}
          />
        )}
      </section>
      <AddressFields address={address} onChange={change} />
      <Field
        name="Source name"
        hint={
          <>
            Prefix of every action:{" "}
            <code className="font-mono">{address.source === "" ? "docs" : address.source}.search</code>. Cannot be
            changed later.
          </>
        }
      >
        <input
          className="input font-mono"
          value={address.source}
          maxLength={63}
          disabled={connector !== null}
          onChange={(event) => onChange({ ...address, source: event.target.value.trim() })}
          placeholder="docs"
          spellCheck={false}
          autoCapitalize="none"
        />
      </Field>
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
      <Buttons>
        <Button type="submit" variant="primary">
          Next
        </Button>
      </Buttons>
    </form>
  );
}

function Integrations({ all, onChoose }: { all: Integration[]; onChoose: (chosen: Integration) => void }) {
  const known = useQuery(sources).data?.items ?? [];
  return (
    <section className="space-y-2">
      <h2 className="font-semibold">Integration</h2>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {all.map((integration) => {
          const isConnected = known.some((each) => each.source === integration.source && each.connected);
          return (
            <button
              key={integration.source}
              type="button"
              onClick={() => onChoose(integration)}
              className="rounded-lg border border-strong bg-card px-3 py-2.5 text-left hover:bg-sunk"
            >
              <span className="block font-medium">{integration.title}</span>
              <span className={`flex items-center gap-1 text-xs ${isConnected ? "text-good" : "text-faint"}`}>
                {isConnected ? (
                  <>
                    <Icon name="check" className="size-3" />
                    connected
                  </>
                ) : (
                  "not connected"
                )}
              </span>
            </button>
          );
        })}
      </div>
    </section>
  );
}

interface AuthenticationProps {
  address: ServerAddress;
  authentication: Authentication;
  onChange: (next: Authentication) => void;
  onBack: () => void;
  onNext: () => void;
}

export function AuthenticationStep({ address, authentication, onChange, onBack, onNext }: AuthenticationProps) {
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const value = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = authenticationError(authentication);
    setFieldError(found);
    if (found !== null) return;
    setBusy(true);
    try {
      await saveSecret(authentication, value.current);
      onNext();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-5">
      <h2 className="font-semibold">Authentication</h2>
      <AuthenticationFields authentication={authentication} kind={address.kind} value={value} onChange={onChange} />
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
      {error !== null && <ProblemCard error={error} />}
      <Buttons>
        <Button type="submit" variant="primary" disabled={isBusy}>
          Connect and check
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}

export function IntegrationStep({
  integration,
  onBack,
  onNext,
}: {
  integration: Integration;
  onBack: () => void;
  onNext: () => void;
}) {
  const provider = integration.source;
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const token = useRef<HTMLInputElement>(null);
  const isConnected = useQuery(sources).data?.items.some((each) => each.source === provider && each.connected) ?? false;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const field = token.current;
    if (field === null || field.value === "") return;
    setBusy(true);
    try {
      await take(
        api.PUT("/v1/connections/{provider}", { params: { path: { provider } }, body: { name, token: field.value } }),
      );
      field.value = "";
      await catalogChanged();
      onNext();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-5">
      <h2 className="font-semibold">Connect {integration.title}</h2>
      {isConnected && (
        <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
          Already connected. A new token replaces the current one. Pending approvals must be given again.
        </p>
      )}
      <Field name="Connection name" hint="For example the name of the workspace.">
        <input className="input" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
      </Field>
      <p className="text-soft">
        {integration.token_hint}{" "}
        {isWebAddress(integration.token_url) && (
          <a className="text-accent underline" href={integration.token_url} target="_blank" rel="noreferrer">
            Create one at {new URL(integration.token_url).hostname}
          </a>
        )}
      </p>
      <Field name="Token" hint="Stored encrypted and never shown again.">
        <input
          ref={token}
          className="input font-mono"
          type="password"
          autoComplete="new-password"
          maxLength={16384}
          spellCheck={false}
          required
        />
      </Field>
      {error !== null && <ProblemCard error={error} />}
      <Buttons>
        <Button type="submit" variant="primary" disabled={isBusy}>
          Connect
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}
