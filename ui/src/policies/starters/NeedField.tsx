// The field of one value that a starter needs.
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { ActionChooser } from "../../automations/editor/ActionChooser";
import { actions as catalog } from "../../automations/queries";
import { plain } from "../../text/visible";
import { Field } from "../../ui/Form";
import { fieldsOfActions } from "../facts/fields";
import type { PolicySchema, StarterNeed } from "../types";

interface Props {
  need: StarterNeed;
  value: string;
  schema: PolicySchema | undefined;
  /** The actions that are chosen, whose parameters a field can be. */
  actions: readonly string[];
  onChange: (next: string) => void;
}

export function NeedField({ need, value, schema, actions, onChange }: Props) {
  const id = useId();
  switch (need.kind) {
    case "action":
      return <ActionField need={need} value={value} schema={schema} onChange={onChange} />;
    case "list":
      return (
        <Field name={plain(need.label)} hint="One entry a line.">
          <textarea
            className="input min-h-20 font-mono"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            spellCheck={false}
          />
        </Field>
      );
    case "field":
      return (
        <>
          <Field name={plain(need.label)} hint="A parameter of the action.">
            <input
              className="input font-mono"
              list={id}
              value={value}
              onChange={(event) => onChange(event.target.value)}
              spellCheck={false}
            />
          </Field>
          <datalist id={id}>
            {fieldsOfActions(schema?.actions ?? [], actions).map((each) => (
              <option key={each} value={each.replace(/^input\./, "")} />
            ))}
          </datalist>
        </>
      );
    case "integer":
    case "text":
      return (
        <Field name={plain(need.label)}>
          <input
            className="input"
            inputMode={need.kind === "integer" ? "numeric" : "text"}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      );
  }
}

function ActionField({ need, value, schema, onChange }: Omit<Props, "actions">) {
  const id = useId();
  const all = useQuery(catalog).data ?? [];
  const isUnknown = schema !== undefined && value !== "" && !schema.actions.some(({ address }) => address === value);
  return (
    <div className="flex flex-col gap-1">
      <span id={id} className="font-medium">
        {plain(need.label)}
      </span>
      <div role="group" aria-labelledby={id}>
        <ActionChooser value={value} actions={all} onChoose={onChange} isInvalid={isUnknown} />
      </div>
    </div>
  );
}
