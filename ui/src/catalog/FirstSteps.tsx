// The first steps of connecting: where the source is, and how it is proven that we may use it.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { api, take } from "../api/client";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { type How, INTEGRATIONS, nameFrom, type ServerKind, type Where, wrongHow, wrongWhere } from "./connect";
import { Choice, Field, HowFields, keepSecret, PlaceFields } from "./ConnectFields";
import { catalogChanged, type Connector, sources } from "./queries";

export function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-row-reverse flex-wrap gap-2 max-md:[&>*]:flex-1">{children}</div>;
}

const KINDS: readonly (readonly [ServerKind, string, string])[] = [
  ["mcp", "An MCP server", "over HTTP, at an address"],
  ["openapi", "An HTTP service", "with an OpenAPI document"],
  ["stdio", "A declared command", "an MCP server that the operator declared"],
];

interface WhereProps {
  where: Where;
  made: Connector | null;
  onChange: (next: Where) => void;
  onIntegration: (name: string) => void;
  onNext: () => void;
}

export function WhereStep({ where, made, onChange, onIntegration, onNext }: WhereProps) {
  const [wrong, setWrong] = useState<string | null>(null);
  const known = useQuery(sources).data?.items ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isTaken = made === null && known.some((each) => each.source === where.source);
    const found = wrongWhere(where) ?? (isTaken ? `There is a source called ${where.source} already. Choose another name.` : null);
    setWrong(found);
    if (found === null) onNext();
  };
  const change = (next: Where) => {
    const isSuggested = where.source === "" || where.source === nameFrom(where.place);
    onChange(made === null && isSuggested && next.place !== where.place ? { ...next, source: nameFrom(next.place) } : next);
  };
  return (
    <form onSubmit={submit} className="space-y-5">
      {made === null && <Integrations onChoose={onIntegration} />}
      <section className="space-y-2">
        <h2 className="font-semibold">{made === null ? "Or a server" : "Correct where it is"}</h2>
        {made === null && <Choice name="Kind of server" value={where.kind} choices={KINDS} onChange={(kind) => onChange({ ...where, kind })} />}
      </section>
      <PlaceFields where={where} onChange={change} />
      <Field name="Name of the source" about={<>The first half of every address: <code className="font-mono">{where.source === "" ? "docs" : where.source}.search</code>. It cannot be changed later.</>}>
        <input className="input font-mono" value={where.source} maxLength={63} disabled={made !== null} onChange={(event) => onChange({ ...where, source: event.target.value.trim() })} placeholder="docs" spellCheck={false} autoCapitalize="none" />
      </Field>
      {wrong !== null && <p role="alert" className="text-bad">{wrong}</p>}
      <Buttons><Button type="submit" look="primary">Next</Button></Buttons>
    </form>
  );
}

function Integrations({ onChoose }: { onChoose: (name: string) => void }) {
  const known = useQuery(sources).data?.items ?? [];
  return (
    <section className="space-y-2">
      <h2 className="font-semibold">An integration</h2>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {INTEGRATIONS.map((name) => {
          const isConnected = known.some((each) => each.source === name && each.connected);
          return (
            <button key={name} type="button" onClick={() => onChoose(name)} className="rounded-lg border border-strong bg-card px-3 py-2.5 text-left hover:bg-sunk">
              <span className="block font-medium">{name}</span>
              <span className={`flex items-center gap-1 text-xs ${isConnected ? "text-good" : "text-faint"}`}>{isConnected ? <><Icon name="check" className="size-3" />connected</> : "not connected"}</span>
            </button>
          );
        })}
      </div>
    </section>
  );
}

interface HowProps {
  where: Where;
  how: How;
  onChange: (next: How) => void;
  onBack: () => void;
  onNext: () => void;
}

export function HowStep({ where, how, onChange, onBack, onNext }: HowProps) {
  const [wrong, setWrong] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const value = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = wrongHow(how);
    setWrong(found);
    if (found !== null) return;
    setBusy(true);
    try {
      await keepSecret(how, value.current);
      onNext();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-5">
      <h2 className="font-semibold">How does it know that we may?</h2>
      <HowFields how={how} kind={where.kind} value={value} onChange={onChange} />
      {wrong !== null && <p role="alert" className="text-bad">{wrong}</p>}
      {error !== null && <ProblemCard error={error} />}
      <Buttons><Button type="submit" look="primary" disabled={isBusy}>Connect and check</Button><Button look="quiet" onClick={onBack}>Back</Button></Buttons>
    </form>
  );
}

const TOKENS: Record<string, string> = {
  linear: "A personal API key, or a token of OAuth.",
  slack: "A bot token. It needs the scopes to list channels, read threads and post messages.",
  sentry: "An auth token that may read and update issues and events.",
  github: "A token that may read code, and read and write issues and pull requests.",
};

export function IntegrationStep({ provider, onBack, onNext }: { provider: string; onBack: () => void; onNext: () => void }) {
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
      await take(api.PUT("/v1/connections/{provider}", { params: { path: { provider } }, body: { name, token: field.value } }));
      field.value = "";
      await catalogChanged();
      onNext();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-5">
      <h2 className="font-semibold">Connect {provider}</h2>
      {isConnected && <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">It is connected. A new token takes the place of the one that is used now, for everybody; what was approved with the old one is asked again.</p>}
      <Field name="What people call it" about="For example the workspace that it opens."><input className="input" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} /></Field>
      <Field name="Token" about={<>{TOKENS[provider]} It is sealed at once, and never shown again. It is used for the first time when an action is.</>}>
        <input ref={token} className="input font-mono" type="password" autoComplete="new-password" maxLength={16384} spellCheck={false} required />
      </Field>
      {error !== null && <ProblemCard error={error} />}
      <Buttons><Button type="submit" look="primary" disabled={isBusy}>Connect</Button><Button look="quiet" onClick={onBack}>Back</Button></Buttons>
    </form>
  );
}
