// A form from a JSON Schema, with our own look. With `names`, every field takes a template instead of a value.
// Its index would bring a validator along that compiles code.
import Form from "@rjsf/core/lib/components/Form.js";
import getDefaultRegistry from "@rjsf/core/lib/getDefaultRegistry.js";
import type { ErrorSchema } from "@rjsf/utils";
import { Component, type ReactNode, useMemo } from "react";
import type { Names } from "./insert";
import { Field, Group, Item, Items, Nothing } from "./look";
import { simplify } from "./simplify";
import { validator } from "./validator";
import { CheckboxWidget, fieldsOf, SelectWidget, TextareaWidget, TextWidget } from "./widgets";

export interface Context {
  names?: Names | undefined;
  isWhole?: boolean;
}

interface Props {
  /** Before the ids of its fields; unique on the page. */
  id: string;
  schema: unknown;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  errors?: ErrorSchema;
  names?: Names | undefined;
  /** Whether also fields that are empty and not needed are shown, where there are many. */
  isWhole?: boolean;
}

const TEMPLATES = {
  FieldTemplate: Field, ObjectFieldTemplate: Group, ArrayFieldTemplate: Items, ArrayFieldItemTemplate: Item,
  DescriptionFieldTemplate: Nothing, FieldErrorTemplate: Nothing, FieldHelpTemplate: Nothing, TitleFieldTemplate: Nothing,
};
const WIDGETS = {
  TextWidget, TextareaWidget, SelectWidget, CheckboxWidget, RadioWidget: SelectWidget,
  // A text in a certain format is a text: it may come from a template, and what it says is what is sent.
  DateWidget: TextWidget, DateTimeWidget: TextWidget, TimeWidget: TextWidget, EmailWidget: TextWidget, URLWidget: TextWidget, FileWidget: TextWidget, ColorWidget: TextWidget, PasswordWidget: TextWidget,
};
const FIELDS = fieldsOf(getDefaultRegistry().fields);

export function SchemaForm({ id, schema, value, onChange, errors, names, isWhole = false }: Props) {
  const simple = useMemo(() => simplify(schema), [schema]);
  const context = useMemo<Context>(() => ({ names, isWhole }), [names, isWhole]);
  return (
    <Guard key={JSON.stringify(simple.schema)}>
      <Form schema={simple.schema} uiSchema={simple.uiSchema} formData={value} validator={validator} formContext={context} idPrefix={id} tagName="div" noValidate showErrorList={false}
        templates={TEMPLATES} widgets={WIDGETS} fields={FIELDS} {...(errors === undefined ? {} : { extraErrors: errors })}
        experimental_defaultFormStateBehavior={{ emptyObjectFields: "skipDefaults", constAsDefaults: "never" }}
        onChange={({ formData }) => onChange(settled(formData ?? {}) as Record<string, unknown>)}>
        <></>
      </Form>
    </Guard>
  );
}

/** Without what was emptied; a new place in a list is an empty text until something stands there. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (each === undefined || each === null ? "" : settled(each)));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, settled(each)]])));
}

/** Schemas come from strangers; one that no form can be made of does not take the page with it. */
class Guard extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    return this.state.isBroken ? <p role="alert" className="text-soft">No form can be made of this. Edit it as JSON.</p> : this.props.children;
  }
}
