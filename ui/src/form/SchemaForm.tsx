// A form for a JSON Schema. With `names`, every field also takes a template. The package index of rjsf would add a
// validator that compiles code.
import Form from "@rjsf/core/lib/components/Form.js";
import getDefaultRegistry from "@rjsf/core/lib/getDefaultRegistry.js";
import type { ErrorSchema, UiSchema } from "@rjsf/utils";
import { Component, type ReactNode, useMemo } from "react";
import type { Names } from "./insert";
import { simplify } from "./simplify";
import { Empty, Field, Group, Item, Items } from "./templates";
import { validator } from "./validator";
import { CheckboxWidget, fieldsOf, SelectWidget, TextareaWidget, TextWidget } from "./widgets";

export interface Context {
  names?: Names | undefined;
  isComplete?: boolean;
}

interface Props {
  /** Prefix of the field IDs; unique on the page. */
  id: string;
  schema: unknown;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  errors?: ErrorSchema;
  names?: Names | undefined;
  /** Whether to show empty optional fields too, where there are many. */
  isComplete?: boolean;
}

const TEMPLATES = {
  FieldTemplate: Field,
  ObjectFieldTemplate: Group,
  ArrayFieldTemplate: Items,
  ArrayFieldItemTemplate: Item,
  DescriptionFieldTemplate: Empty,
  FieldErrorTemplate: Empty,
  FieldHelpTemplate: Empty,
  TitleFieldTemplate: Empty,
};
const WIDGETS = {
  TextWidget,
  TextareaWidget,
  SelectWidget,
  CheckboxWidget,
  RadioWidget: SelectWidget,
  // Formatted strings use a text field, because they may be templates.
  DateWidget: TextWidget,
  DateTimeWidget: TextWidget,
  TimeWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  FileWidget: TextWidget,
  ColorWidget: TextWidget,
  PasswordWidget: TextWidget,
};
/** The page has its own buttons. */
const NO_SUBMIT: UiSchema = { "ui:submitButtonOptions": { norender: true } };
const FIELDS = fieldsOf(getDefaultRegistry().fields);

export function SchemaForm({ id, schema, value, onChange, errors, names, isComplete = false }: Props) {
  const simple = useMemo(() => simplify(schema), [schema]);
  const uiSchema = useMemo(() => ({ ...simple.uiSchema, ...NO_SUBMIT }), [simple]);
  const context = useMemo<Context>(() => ({ names, isComplete }), [names, isComplete]);
  return (
    <FormBoundary key={JSON.stringify(simple.schema)}>
      <Form
        schema={simple.schema}
        uiSchema={uiSchema}
        formData={value}
        validator={validator}
        formContext={context}
        idPrefix={id}
        tagName="div"
        noValidate
        showErrorList={false}
        templates={TEMPLATES}
        widgets={WIDGETS}
        fields={FIELDS}
        {...(errors === undefined ? {} : { extraErrors: errors })}
        experimental_defaultFormStateBehavior={{ emptyObjectFields: "skipDefaults", constAsDefaults: "never" }}
        onChange={({ formData }) => onChange(settled(formData ?? {}) as Record<string, unknown>)}
      />
    </FormBoundary>
  );
}

/** Removes cleared fields; a new list item is an empty string. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (each === undefined || each === null ? "" : settled(each)));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, settled(each)]])),
  );
}

/** Schemas are untrusted; one that breaks the form must not break the page. */
class FormBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    return this.state.isBroken ? (
      <p role="alert" className="text-soft">
        This schema has no form. Edit it as JSON.
      </p>
    ) : (
      this.props.children
    );
  }
}
