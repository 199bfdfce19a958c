// Field templates of the forms: label, description, errors.
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
} from "@rjsf/utils";
import { useState } from "react";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { isTemplate } from "./insert";
import type { Context } from "./SchemaForm";

export function Field(props: FieldTemplateProps) {
  const {
    id,
    label,
    children,
    rawDescription,
    rawErrors,
    required,
    schema,
    formData,
    onChange,
    fieldPathId,
    registry,
    uiSchema,
    hidden,
  } = props;
  if (hidden) return null;
  const isRoot = fieldPathId.path.length === 0;
  const isItem = typeof fieldPathId.path.at(-1) === "number";
  const isGroup = (schema.type === "object" || schema.type === "array") && uiSchema?.["ui:field"] !== "json";
  const canBeTemplate =
    (registry.formContext as Context).names !== undefined &&
    !isRoot &&
    schema.type !== "string" &&
    uiSchema?.["ui:field"] !== "json";
  const isNow = isTemplate(formData);
  return (
    <div className="min-w-0">
      {!isRoot && !isItem && (
        <div className="mb-1 flex items-baseline gap-2">
          {isGroup && !isNow ? (
            <span className="text-[0.8125rem] font-medium">
              <Line text={label} />
            </span>
          ) : (
            <label htmlFor={id} className="text-[0.8125rem] font-medium">
              <Line text={label} />
            </label>
          )}
          {required && <span className="text-xs text-faint">required</span>}
          {canBeTemplate && (
            <button
              type="button"
              onClick={() => onChange(isNow ? undefined : "{{  }}", fieldPathId.path)}
              className="ml-auto rounded px-1.5 py-0.5 text-xs text-faint hover:bg-sunk hover:text-ink"
            >
              {isNow ? "use a value" : "use a template"}
              <span className="sr-only">
                {" "}
                for <Line text={label} />
              </span>
            </button>
          )}
        </div>
      )}
      {children}
      {!isRoot && rawDescription !== undefined && rawDescription !== "" && (
        <p id={`${id}__description`} className="mt-1 text-xs text-faint">
          <Line text={rawDescription} />
        </p>
      )}
      <FieldErrors id={`${id}__error`} messages={rawErrors} />
    </div>
  );
}

export function FieldErrors({ id, messages }: { id?: string; messages: string[] | undefined }) {
  if (messages === undefined || messages.length === 0) return null;
  return (
    <div id={id} className="mt-1 space-y-0.5 text-xs text-bad">
      {[...new Set(messages)].map((message) => (
        <p key={message} className="flex gap-1.5">
          <Icon name="warning" className="mt-px size-3.5" />
          <Line text={message} />
        </p>
      ))}
    </div>
  );
}

/** With more fields than this, optional empty ones are shown as buttons. */
const FEW = 3;

export function Group({ properties, fieldPathId, schema, formData, errorSchema, registry }: ObjectFieldTemplateProps) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const isShown = (name: string) =>
    (registry.formContext as Context).isComplete === true ||
    properties.length <= FEW ||
    (schema.required ?? []).includes(name) ||
    formData?.[name] !== undefined ||
    errorSchema?.[name] !== undefined ||
    opened.includes(name);
  const left = properties.filter(({ name }) => !isShown(name));
  return (
    <div className={`space-y-4 ${fieldPathId.path.length === 0 ? "" : "border-l-2 border-edge pl-4"}`}>
      {properties
        .filter(({ name }) => isShown(name))
        .map((property) => (
          <div key={property.name} className="min-w-0">
            {property.content}
          </div>
        ))}
      {left.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {left.map(({ name }) => (
            <button
              key={name}
              type="button"
              onClick={() => setOpened([...opened, name])}
              className={`rounded-full border border-edge px-2.5 py-1 text-xs text-soft hover:border-strong
                hover:text-ink`}
            >
              + <Line text={name} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

export function Items({ items, canAdd, onAddClick, title }: ArrayFieldTemplateProps) {
  return (
    <div className="space-y-2">
      {items}
      {canAdd && (
        <Button variant="quiet" className="!px-2" onClick={onAddClick}>
          + Add
          <span className="sr-only">
            {" "}
            to <Line text={title} />
          </span>
        </Button>
      )}
    </div>
  );
}

export function Item({ children, buttonsProps, hasToolbar, index }: ArrayFieldItemTemplateProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">{children}</div>
      {hasToolbar && buttonsProps.hasRemove && (
        <button
          type="button"
          className="mt-1 rounded-md p-2 text-faint hover:bg-sunk hover:text-bad"
          aria-label={`Remove item ${index + 1}`}
          onClick={buttonsProps.onRemoveItem}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

export function Empty() {
  return null;
}
