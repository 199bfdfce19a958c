// The conditions of a fact: rows of field, comparison and value, or JSON.
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { OPERATORS, type Row } from "./conditions";
import { type ConditionsDraft, otherForm } from "./conditionsDraft";

interface Props {
  draft: ConditionsDraft;
  onChange: (next: ConditionsDraft) => void;
}

const NEW: Row = { path: "", operator: "equals", value: "" };

export function Conditions({ draft, onChange }: Props) {
  const other = otherForm(draft);
  return (
    <fieldset className="space-y-2">
      <legend className="font-medium">Only where</legend>
      <p className="text-xs text-faint">
        Optional. All conditions must be true. Fields begin with <code className="font-mono">input.</code> or{" "}
        <code className="font-mono">output.</code>
      </p>
      {draft.kind === "rows" ? (
        <RowList rows={draft.rows} onChange={(rows) => onChange({ kind: "rows", rows })} />
      ) : (
        <textarea
          className="input min-h-32 font-mono"
          aria-label="Conditions as JSON"
          spellCheck={false}
          value={draft.text}
          onChange={(event) => onChange({ kind: "json", text: event.target.value })}
          placeholder={'{"$or": [{"input.currency": {"equals": "EUR"}}]}'}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {draft.kind === "rows" && (
          <Button onClick={() => onChange({ kind: "rows", rows: [...draft.rows, NEW] })}>
            <Icon name="plus" /> Add a condition
          </Button>
        )}
        <Button variant="quiet" disabled={other === null} onClick={() => other !== null && onChange(other)}>
          {draft.kind === "rows" ? "Edit as JSON" : "Edit as rows"}
        </Button>
      </div>
    </fieldset>
  );
}

function RowList({ rows, onChange }: { rows: readonly Row[]; onChange: (next: Row[]) => void }) {
  const set = (index: number, next: Partial<Row>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...next } : row)));
  return (
    <ul aria-label="Conditions" className="space-y-2 empty:hidden">
      {rows.map((row, index) => (
        <li key={index} className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 md:grid-cols-[1fr_11rem_1fr_auto]">
          <input
            className="input font-mono max-md:col-span-2"
            aria-label={`Field of condition ${index + 1}`}
            list="fact-fields"
            value={row.path}
            spellCheck={false}
            placeholder="input.currency"
            onChange={(event) => set(index, { path: event.target.value })}
          />
          <select
            className="input max-md:col-span-2"
            aria-label={`Comparison of condition ${index + 1}`}
            value={row.operator}
            onChange={(event) => {
              const operator = event.target.value;
              set(index, operator === "exists" ? { operator, value: "true" } : { operator });
            }}
          >
            {OPERATORS.map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
          {row.operator === "exists" ? (
            <select
              className="input"
              aria-label={`Value of condition ${index + 1}`}
              value={row.value === "false" ? "false" : "true"}
              onChange={(event) => set(index, { value: event.target.value })}
            >
              <option value="true">yes</option>
              <option value="false">no</option>
            </select>
          ) : (
            <input
              className="input font-mono"
              aria-label={`Value of condition ${index + 1}`}
              value={row.value}
              spellCheck={false}
              placeholder="EUR"
              onChange={(event) => set(index, { value: event.target.value })}
            />
          )}
          <Button
            variant="quiet"
            className="!px-2.5"
            aria-label={`Remove condition ${index + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
