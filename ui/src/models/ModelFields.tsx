// The models of a provider, each with its optional sizes and price.
import { useRef } from "react";
import { Button } from "../ui/Button";
import { Field } from "../ui/Form";
import { hasMorePrices, type ModelDraft, NO_MODEL } from "./draft";

interface Props {
  models: ModelDraft[];
  onChange: (next: ModelDraft[]) => void;
}

const MOST_MODELS = 100;

export function ModelFields({ models, onChange }: Props) {
  const add = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => {
    onChange(models.filter((_, each) => each !== index));
    // The button that had the focus is gone.
    add.current?.focus();
  };
  return (
    <section className="space-y-2">
      <h2 className="font-semibold">Models</h2>
      <p className="text-xs text-faint">Names as the provider writes them. A test asks the first one.</p>
      {models.map((model, index) => (
        <OneModel
          key={index}
          number={index + 1}
          model={model}
          onChange={(next) => onChange(models.map((each, at) => (at === index ? next : each)))}
          onRemove={models.length > 1 ? () => remove(index) : null}
        />
      ))}
      <button
        ref={add}
        type="button"
        className="rounded-md px-1 py-1.5 font-medium text-accent disabled:opacity-50"
        disabled={models.length >= MOST_MODELS}
        onClick={() => onChange([...models, NO_MODEL])}
      >
        Add a model
      </button>
    </section>
  );
}

interface OneProps {
  number: number;
  model: ModelDraft;
  onChange: (next: ModelDraft) => void;
  onRemove: (() => void) | null;
}

function OneModel({ number, model, onChange, onRemove }: OneProps) {
  const set = (part: Partial<ModelDraft>) => onChange({ ...model, ...part });
  return (
    <fieldset className="space-y-2 rounded-lg border border-edge p-3">
      <legend className="sr-only">Model {number}</legend>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field name="Model name">
            <input
              className="input font-mono"
              value={model.name}
              maxLength={200}
              required
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => set({ name: event.target.value.trim() })}
            />
          </Field>
        </div>
        {onRemove !== null && (
          <Button variant="quiet" aria-label={`Remove model ${number}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <details>
        <summary className="cursor-pointer py-1 text-soft">More: sizes and price</summary>
        <div className="grid gap-3 pt-2 sm:grid-cols-2">
          <NumberField
            name="Context (optional)"
            hint="Tokens that it reads and writes together. Empty: as known for this model, or 32,000."
            value={model.context}
            onChange={(context) => set({ context })}
          />
          <NumberField
            name="Max output (optional)"
            hint="Tokens of one reply. Empty: as known for this model, or 4,096. At most 16,000 are asked for."
            value={model.max_output}
            onChange={(max_output) => set({ max_output })}
          />
          <NumberField
            name="Input price (optional)"
            hint="USD per million tokens. Empty: from the bundled table, if the model is in it."
            value={model.input}
            onChange={(input) => set({ input })}
          />
          <NumberField
            name="Output price (optional)"
            hint="USD per million tokens, such as 0.075."
            value={model.output}
            onChange={(output) => set({ output })}
          />
          {hasMorePrices(model) && (
            <p className="text-xs text-faint sm:col-span-2">
              The stored prices of cached input and of large requests stay as they are.
            </p>
          )}
        </div>
      </details>
    </fieldset>
  );
}

interface NumberProps {
  name: string;
  hint: string;
  value: string;
  onChange: (next: string) => void;
}

/** As text: a field for numbers would hide what is typed wrong. */
function NumberField({ name, hint, value, onChange }: NumberProps) {
  return (
    <Field name={name} hint={hint}>
      <input
        className="input"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
