// The actions that a model may use: chosen from the catalog, one by one or all of a source.
import { useMemo } from "react";
import { at, type DocumentProblem } from "../../../form/problems";
import { FieldErrors } from "../../../form/templates";
import { Line } from "../../../text/Visible";
import { plain } from "../../../text/visible";
import { RiskBadge } from "../../../ui/Bits";
import { Icon } from "../../../ui/icons";
import { list, text } from "../../definition";
import type { Action } from "../../queries";
import { ActionChooser } from "../ActionChooser";
import { toolOptions, withTool } from "./agent";

interface Props {
  value: unknown;
  actions: readonly Action[];
  /** JSON pointer to the list. */
  pointer: string;
  problems: readonly DocumentProblem[];
  onChange: (tools: unknown[]) => void;
}

export function ToolsField({ value, actions, pointer, problems, onChange }: Props) {
  const tools = list(value);
  const options = useMemo(() => toolOptions(actions, list(value).map(text)), [actions, value]);
  return (
    <div role="group" aria-label="Tools" className="min-w-0 space-y-2">
      <p className="text-[0.8125rem] font-medium">Tools</p>
      {tools.length > 0 && (
        <ul aria-label="Chosen tools" className="divide-y divide-edge rounded-lg border border-edge">
          {tools.map((tool, index) => (
            <ToolRow
              key={index}
              tool={text(tool)}
              actions={actions}
              messages={at(problems, `${pointer}/${index}`)}
              onRemove={() => onChange(tools.filter((_, place) => place !== index))}
            />
          ))}
        </ul>
      )}
      <ActionChooser
        value=""
        prompt="Add a tool …"
        actions={options}
        onChoose={(tool) => onChange(withTool(tools, tool))}
        isInvalid={at(problems, pointer).length > 0}
      />
      <p className="text-xs text-faint">Actions that the model may call. Policy decides about each call.</p>
      <FieldErrors messages={at(problems, pointer)} />
    </div>
  );
}

interface RowProps {
  tool: string;
  actions: readonly Action[];
  messages: string[];
  onRemove: () => void;
}

function ToolRow({ tool, actions, messages, onRemove }: RowProps) {
  const known = actions.find(({ action }) => action === tool);
  const source = tool.endsWith(".*") ? tool.slice(0, -1) : null;
  const count = source === null ? 0 : actions.filter(({ action }) => action.startsWith(source)).length;
  return (
    <li className="px-3 py-1.5">
      <span className="flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-[0.8125rem] wrap-anywhere">
          <Line text={tool} />
        </code>
        {known !== undefined && <RiskBadge risk={known.risk} />}
        {count > 0 && <span className="text-xs text-faint">{count === 1 ? "1 action" : `${count} actions`}</span>}
        <button
          type="button"
          className="rounded-md p-2 text-faint hover:bg-sunk hover:text-bad"
          aria-label={`Remove tool ${plain(tool)}`}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      </span>
      <FieldErrors messages={messages} />
    </li>
  );
}
