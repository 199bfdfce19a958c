// The input widgets of the forms.
import type { FieldProps, RegistryFieldsType, WidgetProps } from "@rjsf/utils";
import type { ComponentType } from "react";
import { write } from "../api/write";
import { plain } from "../text/visible";
import { isTemplate } from "./insert";
import type { Context } from "./SchemaForm";
import { TemplateInput } from "./TemplateInput";
import { FieldErrors } from "./templates";
import { useJsonText } from "./useJsonText";

const HINTS: Record<string, string> = {
  "date-time": "2026-11-15T09:00:00Z",
  date: "2026-11-15",
  time: "09:00:00Z",
  email: "name@example.org",
  uri: "https://",
};

function hint({ default: preset, format }: { default?: unknown; format?: string | undefined }): string {
  if (preset !== undefined && preset !== null && preset !== "")
    return plain(typeof preset === "string" ? preset : write(preset));
  return HINTS[format ?? ""] ?? "";
}

const described = (id: string) => `${id}__description ${id}__error`;

export function TextWidget({ id, value, onChange, schema, label, registry, rawErrors, options }: WidgetProps) {
  const { names } = registry.formContext as Context;
  const isInvalid = (rawErrors ?? []).length > 0;
  const isNumber = schema.type === "number" || schema.type === "integer";
  const change = (next: string) => onChange(next === "" ? undefined : next);
  const shown = value === undefined || value === null ? "" : String(value);
  if (names !== undefined && !isNumber) {
    return (
      <TemplateInput
        id={id}
        value={shown}
        names={names}
        onChange={change}
        label={plain(label)}
        describedBy={described(id)}
        isLong={options.isLong === true}
        isInvalid={isInvalid}
        placeholder={hint(schema)}
      />
    );
  }
  return (
    <input
      id={id}
      className={`input ${isInvalid ? "!border-bad" : ""}`}
      value={shown}
      inputMode={isNumber ? "decimal" : "text"}
      placeholder={hint(schema)}
      spellCheck={false}
      aria-describedby={described(id)}
      aria-invalid={isInvalid || undefined}
      onChange={(event) => change(event.target.value)}
    />
  );
}

export function TextareaWidget(props: WidgetProps) {
  const { id, value, onChange, registry, rawErrors, schema } = props;
  if ((registry.formContext as Context).names !== undefined)
    return <TextWidget {...props} options={{ ...props.options, isLong: true }} />;
  return (
    <textarea
      id={id}
      rows={1}
      className={`input field-sizing-content max-h-80 resize-none ${(rawErrors ?? []).length > 0 ? "!border-bad" : ""}`}
      value={value ?? ""}
      placeholder={hint(schema)}
      aria-describedby={described(id)}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
    />
  );
}

export function SelectWidget({ id, value, onChange, options, schema, registry, label }: WidgetProps) {
  const { names } = registry.formContext as Context;
  const choices = options.enumOptions ?? [];
  if (names !== undefined && isTemplate(value)) {
    return (
      <div className="space-y-1">
        <TemplateInput id={id} value={value} names={names} onChange={onChange} label={plain(label)} />
        <button type="button" className="text-xs text-accent underline" onClick={() => onChange(undefined)}>
          use a value
        </button>
      </div>
    );
  }
  const preset = hint(schema);
  return (
    <select
      id={id}
      className="input"
      value={value ?? ""}
      aria-describedby={described(id)}
      onChange={(event) =>
        onChange(
          event.target.value === "" ? undefined : event.target.value === "\u0000" ? "{{  }}" : event.target.value,
        )
      }
    >
      <option value="">{preset === "" ? "not set" : `${preset} (default)`}</option>
      {choices.map(({ value: each, schema: about }) => (
        <option key={String(each)} value={String(each)}>
          {plain(String(each))}
          {about?.description === undefined ? "" : `: ${plain(about.description)}`}
        </option>
      ))}
      {names !== undefined && <option value={"\u0000"}>template …</option>}
    </select>
  );
}

export function CheckboxWidget({ id, value, onChange, schema }: WidgetProps) {
  const checked = typeof value === "boolean" ? value : schema.default === true;
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-soft">
      <input
        id={id}
        type="checkbox"
        className="size-4 accent-accent"
        checked={checked}
        aria-describedby={described(id)}
        onChange={(event) => onChange(event.target.checked)}
      />{" "}
      {checked ? "yes" : "no"}
    </label>
  );
}

/** Any value, as JSON. */
function JsonField({ fieldPathId, formData, onChange, name, registry }: FieldProps) {
  const { names } = registry.formContext as Context;
  const { text, error, change } = useJsonText(formData, (value) => onChange(value, fieldPathId.path));
  return (
    <>
      <TemplateInput
        id={fieldPathId.$id}
        value={text}
        names={names ?? { groups: [], filters: [] }}
        onChange={change}
        label={plain(`${name} as JSON`)}
        isCode
        isLong
        isInvalid={error !== null}
        placeholder="{ }"
      />
      <FieldErrors messages={error === null ? undefined : [error]} />
    </>
  );
}

/** Shows a template field where the value is a template. */
function orTemplate(Plain: ComponentType<FieldProps>): ComponentType<FieldProps> {
  return function OrTemplate(props: FieldProps) {
    const { formData, fieldPathId, onChange, name, registry, schema } = props;
    const { names } = registry.formContext as Context;
    if (names === undefined || schema.type === "string" || !isTemplate(formData)) return <Plain {...props} />;
    return (
      <TemplateInput
        id={fieldPathId.$id}
        value={formData as string}
        names={names}
        label={plain(name)}
        onChange={(text) => onChange(text === "" ? undefined : text, fieldPathId.path)}
      />
    );
  };
}

export function fieldsOf(plainFields: RegistryFieldsType): RegistryFieldsType {
  const wrapped = ["NumberField", "BooleanField", "ArrayField", "ObjectField"].flatMap((name) => {
    const field = plainFields[name];
    return field === undefined ? [] : [[name, orTemplate(field as ComponentType<FieldProps>)] as const];
  });
  return { ...Object.fromEntries(wrapped), json: JsonField };
}
