// The definition as JSON, with completion.
import { JsonEditor, type JsonEditorProps } from "../../form/json/JsonEditor";
import type { Fields } from "../definition";
import type { Action } from "../queries";
import { complete } from "./complete";

interface Props extends Omit<JsonEditorProps, "label" | "complete" | "indentsWithTab"> {
  /** The last valid definition. */
  definition: Fields;
  actions: readonly Action[];
}

export function DefinitionJson({ definition, actions, ...rest }: Props) {
  return (
    <JsonEditor
      {...rest}
      label="Definition as JSON"
      indentsWithTab
      complete={(context) => complete(context, definition, actions)}
    />
  );
}
