// The provider and the model that are asked, if there are several.
import type { Provider } from "../../models/queries";
import { plain } from "../../text/visible";
import { Field } from "../../ui/Form";
import { type Choice, hasChoice } from "./words";

interface Props {
  providers: readonly Provider[];
  choice: Choice | null;
  isDisabled: boolean;
  onChoice: (choice: Choice) => void;
}

export function ModelToAsk({ providers, choice, isDisabled, onChoice }: Props) {
  if (choice === null || !hasChoice(providers)) return null;
  const { provider, model } = choice;
  const models = providers.find((each) => each.provider === provider)?.models ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field name="Provider to ask">
        <Select
          value={provider}
          options={providers.map((each) => each.provider)}
          isDisabled={isDisabled}
          onChange={(name) => onChoice({ provider: name, model: undefined })}
        />
      </Field>
      <Field name="Model to ask">
        <Select
          value={model ?? ""}
          options={models.map(({ name }) => name)}
          isDisabled={isDisabled}
          onChange={(name) => onChoice({ provider, model: name })}
        />
      </Field>
    </div>
  );
}

interface SelectProps {
  value: string;
  options: readonly string[];
  isDisabled: boolean;
  onChange: (value: string) => void;
}

function Select({ value, options, isDisabled, onChange }: SelectProps) {
  return (
    <select className="input" value={value} disabled={isDisabled} onChange={(event) => onChange(event.target.value)}>
      {options.map((name) => (
        <option key={name} value={name}>
          {plain(name)}
        </option>
      ))}
    </select>
  );
}
