// The inputs of a run: name, type, default and whether each is required.
import { useState } from "react";
import { parse } from "../../api/json";
import { write } from "../../api/write";
import { below, problemText } from "../../form/problems";
import { FieldErrors } from "../../form/templates";
import { plain } from "../../text/visible";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { type Fields, fields, type Input, inputs, inputsSchema, list, put, text } from "../definition";
import { uniqueName } from "./document";
import type { Editing } from "./FormSide";

const TYPES = ["string", "integer", "number", "boolean", "array", "object"];

export function Inputs({
  definition,
  problems,
  onInputs,
}: Editing & { onInputs: (inputs: Fields | undefined) => void }) {
  const schema = inputsSchema(definition);
  const all = inputs(definition);
  const save = (next: Input[]) => {
    const required = next.filter((each) => each.isRequired).map((each) => each.name);
    const properties = Object.fromEntries(next.map((each) => [each.name, each.schema]));
    if (next.length === 0) return onInputs(undefined);
    onInputs({
      schema: put({ type: "object", ...schema, properties }, "required", required.length === 0 ? undefined : required),
    });
  };
  const change = (index: number, next: Partial<Input>) =>
    save(all.map((each, place) => (place === index ? { ...each, ...next } : each)));
  return (
    <div className="space-y-2">
      {all.map((input, index) => (
        <InputCard
          key={index}
          input={input}
          index={index}
          onInput={(next) => change(index, next)}
          onRemove={() => save(all.filter((_, place) => place !== index))}
        />
      ))}
      <FieldErrors messages={below(problems, "/inputs").map(problemText)} />
      <Button
        className="!px-2.5"
        onClick={() =>
          save([
            ...all,
            {
              name: uniqueName(
                "input",
                all.map((each) => each.name),
              ),
              type: "string",
              isRequired: false,
              schema: { type: "string" },
            },
          ])
        }
      >
        + Input
      </Button>
    </div>
  );
}

function InputCard({
  input,
  index,
  onInput,
  onRemove,
}: {
  input: Input;
  index: number;
  onInput: (next: Partial<Input>) => void;
  onRemove: () => void;
}) {
  const { name, schema, isRequired } = input;
  const preset = schema.default;
  const isText = schema.type === "string";
  // Keeps the typed text while it is not a valid value.
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (preset === undefined ? "" : typeof preset === "string" && isText ? preset : write(preset));
  const setDefault = (text: string) => {
    if (text === "" || isText) {
      setTyped(null);
      return onInput({ schema: put(schema, "default", text === "" ? undefined : text) });
    }
    try {
      onInput({ schema: put(schema, "default", parse(text)) });
      setTyped(null);
    } catch {
      setTyped(text);
    }
  };
  const type = text(schema.type) || write(list(schema.type));
  return (
    <fieldset
      className={`grid grid-cols-2 items-center gap-2 rounded-xl border border-edge bg-card p-3
      sm:grid-cols-[minmax(0,1fr)_7rem_minmax(0,1fr)_auto]`}
    >
      <legend className="sr-only">Input {plain(name)}</legend>
      <input
        className="input !font-mono !text-[0.8125rem]"
        aria-label={`Name of input ${index + 1}`}
        value={name}
        spellCheck={false}
        onChange={(event) => onInput({ name: event.target.value })}
      />
      <select
        className="input"
        aria-label={`Type of ${plain(name)}`}
        value={type}
        onChange={(event) => onInput({ schema: put(put(schema, "type", event.target.value), "default", undefined) })}
      >
        {(TYPES.includes(type) ? TYPES : [type, ...TYPES]).map((each) => (
          <option key={each} value={each}>
            {each === "string" ? "text" : each}
          </option>
        ))}
      </select>
      <input
        className={`input ${typed === null ? "" : "!border-bad"}`}
        aria-label={`Default of ${plain(name)}`}
        placeholder={isRequired ? "no default" : "default"}
        value={shown}
        spellCheck={false}
        onChange={(event) => setDefault(event.target.value)}
      />
      <div className="flex items-center justify-between gap-2">
        <label className="flex items-center gap-2 text-soft">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isRequired}
            onChange={(event) => onInput({ isRequired: event.target.checked })}
          />{" "}
          required{" "}
        </label>
        <button
          type="button"
          className="rounded-md p-2 text-faint hover:bg-sunk hover:text-bad"
          aria-label={`Remove input ${plain(name)}`}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      </div>
      <input
        className={`input col-span-full !border-transparent !px-1 !py-0.5 !text-xs text-faint hover:!border-strong
          focus:!border-strong`}
        aria-label={`Description of ${plain(name)}`}
        placeholder="Description"
        value={text(fields(schema).description)}
        onChange={(event) =>
          onInput({ schema: put(schema, "description", event.target.value === "" ? undefined : event.target.value) })
        }
      />
    </fieldset>
  );
}
