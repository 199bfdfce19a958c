// The data for a model: any JSON value, or one text. Every text in it may be a template.
import { useState } from "react";
import { write } from "../../../api/write";
import type { Names } from "../../../form/insert";
import { TemplateInput } from "../../../form/TemplateInput";
import { FieldErrors } from "../../../form/templates";
import { useJsonText } from "../../../form/useJsonText";

interface Props {
  id: string;
  value: unknown;
  names: Names;
  messages: string[];
  onChange: (value: unknown) => void;
}

export function ContextField({ id, value, names, messages, onChange }: Props) {
  const [wantsText, setWantsText] = useState(typeof value === "string");
  const isText = wantsText && (value === undefined || typeof value === "string");
  const toggle = () => {
    setWantsText(!isText);
    if (!isText && value !== undefined && typeof value !== "string") onChange(write(value, 2));
  };
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-baseline gap-2">
        <label htmlFor={id} className="text-[0.8125rem] font-medium">
          Context
        </label>
        <button
          type="button"
          onClick={toggle}
          className="ml-auto rounded px-1.5 py-0.5 text-xs text-faint hover:bg-sunk hover:text-ink"
        >
          {isText ? "use JSON" : "use text"}
          <span className="sr-only"> for the context</span>
        </button>
      </div>
      {isText ? (
        <TemplateInput
          id={id}
          value={typeof value === "string" ? value : ""}
          names={names}
          label="Context"
          isLong
          isInvalid={messages.length > 0}
          placeholder="{{ … }}"
          onChange={(text) => onChange(text === "" ? undefined : text)}
        />
      ) : (
        <JsonContext id={id} value={value} names={names} messages={messages} onChange={onChange} />
      )}
      <p className="mt-1 text-xs text-faint">
        Data for the model, such as inputs and outputs of earlier steps. Texts can be templates.
      </p>
      <FieldErrors messages={messages} />
    </div>
  );
}

function JsonContext({ id, value, names, messages, onChange }: Props) {
  const { text, error, change } = useJsonText(value, onChange);
  return (
    <>
      <TemplateInput
        id={id}
        value={text}
        names={names}
        label="Context as JSON"
        isCode
        isLong
        isInvalid={error !== null || messages.length > 0}
        placeholder='{ "title": "{{ … }}" }'
        onChange={change}
      />
      <FieldErrors messages={error === null ? undefined : [error]} />
    </>
  );
}
