// The provider and the model of a step. Only admins can list the providers; others type the names.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../../../api/permissions";
import { FieldErrors } from "../../../form/templates";
import { type Provider, providers as providersQuery } from "../../../models/queries";
import { stateOf } from "../../../models/words";
import { Line } from "../../../text/Visible";
import { plain } from "../../../text/visible";
import { Loading, ProblemCard } from "../../../ui/Bits";
import { type Fields, put, text } from "../../definition";
import { Labelled } from "../Cards";
import { priceNote, withProvider } from "./agent";

interface Props {
  id: string;
  config: Fields;
  /** The problems of a field of the config. */
  messages: (name: string) => string[];
  onConfig: (config: Fields) => void;
}

export function ModelChoice(props: Props) {
  const isAdmin = useMay("admin");
  const { data, error } = useQuery({ ...providersQuery, enabled: isAdmin === true });
  if (isAdmin === false) return <TypedNames {...props} about="Ask an admin for the names of providers and models." />;
  if (error !== null)
    return (
      <>
        <ProblemCard error={error} />
        <TypedNames {...props} />
      </>
    );
  if (data === undefined) return <Loading what="model providers" />;
  return (
    <>
      {data.length === 0 && <NoProvider />}
      {(data.length > 0 || text(props.config.provider) !== "") && <Selects {...props} providers={data} />}
    </>
  );
}

/** It opens beside the editor, so that nothing typed is lost. */
function NoProvider() {
  return (
    <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
      No model providers.{" "}
      <Link to="/models" target="_blank" className="font-medium underline">
        Add a provider on the Models page
      </Link>{" "}
      (new tab), then choose its model here.
    </p>
  );
}

function Selects({ id, config, messages, onConfig, providers }: Props & { providers: readonly Provider[] }) {
  const [chosen, model] = [text(config.provider), text(config.model)];
  const provider = providers.find((each) => each.provider === chosen);
  const known = provider?.models.find((each) => each.name === model);
  const note = known === undefined ? null : priceNote(known, config.budget_usd !== null);
  const state = provider === undefined ? null : stateOf(provider);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Labelled id={`${id}-provider`} name="Provider">
        <Select
          id={`${id}-provider`}
          value={chosen}
          prompt="Choose a provider"
          options={providers.map((each) => [each.provider, each.enabled ? "" : " (disabled)"])}
          messages={messages("provider")}
          onChange={(name) => onConfig(withProvider(config, name, providers))}
        />
        {state !== null && state.tone !== "good" && (
          <p className="mt-1 text-xs text-warn wrap-anywhere">
            {state.name}: <Line text={state.text} />
          </p>
        )}
      </Labelled>
      <Labelled id={`${id}-model`} name="Model">
        <Select
          id={`${id}-model`}
          value={model}
          prompt={chosen === "" ? "Choose a provider first" : "Choose a model"}
          options={(provider?.models ?? []).map((each) => [each.name, ""])}
          messages={messages("model")}
          onChange={(name) => onConfig(put(config, "model", name === "" ? undefined : name))}
        />
        {note !== null && <p className={`mt-1 text-xs ${note.isBad ? "text-warn" : "text-faint"}`}>{note.text}</p>}
      </Labelled>
    </div>
  );
}

interface SelectProps {
  id: string;
  value: string;
  prompt: string;
  /** Each with what is said behind it. */
  options: [string, string][];
  messages: string[];
  onChange: (value: string) => void;
}

function Select({ id, value, prompt, options, messages, onChange }: SelectProps) {
  const isListed = value === "" || options.some(([name]) => name === value);
  return (
    <>
      <select
        id={id}
        className={`input ${messages.length > 0 ? "!border-bad" : ""}`}
        value={value}
        aria-invalid={messages.length > 0 || undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{prompt}</option>
        {!isListed && <option value={value}>{plain(value)} (not found)</option>}
        {options.map(([name, more]) => (
          <option key={name} value={name}>
            {plain(name)}
            {more}
          </option>
        ))}
      </select>
      <FieldErrors messages={messages} />
    </>
  );
}

function TypedNames({ id, config, messages, onConfig, about }: Props & { about?: ReactNode }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["provider", "model"] as const).map((name) => (
        <Labelled
          key={name}
          id={`${id}-${name}`}
          name={name === "provider" ? "Provider" : "Model"}
          about={name === "provider" ? about : undefined}
        >
          <input
            id={`${id}-${name}`}
            className={`input !font-mono !text-[0.8125rem] ${messages(name).length > 0 ? "!border-bad" : ""}`}
            spellCheck={false}
            value={text(config[name])}
            aria-invalid={messages(name).length > 0 || undefined}
            onChange={(event) =>
              onConfig(put(config, name, event.target.value === "" ? undefined : event.target.value))
            }
          />
          <FieldErrors messages={messages(name)} />
        </Labelled>
      ))}
    </div>
  );
}
