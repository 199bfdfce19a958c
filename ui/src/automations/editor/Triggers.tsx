// The triggers as cards: schedule, webhook or event, and the input mapping.
import { useMemo } from "react";
import { at, errorsOf } from "../../form/problems";
import { SchemaForm } from "../../form/SchemaForm";
import { FieldErrors } from "../../form/templates";
import { useNow } from "../../text/now";
import { Line } from "../../text/Visible";
import { Button } from "../../ui/Button";
import { type Fields, fields, inputs, list, put, putAt, text } from "../definition";
import { NextTimes } from "../detail/Triggers";
import type { Schedule } from "../queries";
import { TriggerText } from "../TriggerText";
import { Card } from "./Cards";
import type { Editing } from "./FormSide";

interface Props extends Editing {
  onTriggers: (triggers: unknown[]) => void;
}

const NEW: [string, () => Fields][] = [
  [
    "Schedule",
    () => ({
      type: "schedule",
      config: { cron: "0 9 * * 1-5", timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    }),
  ],
  ["Webhook", () => ({ type: "webhook", config: {} })],
  ["Event", () => ({ type: "event", config: { event_type: "" } })],
];
const PRESETS: [string, string][] = [
  ["0 9 * * 1-5", "Weekdays at 09:00"],
  ["0 8 * * *", "Every day at 08:00"],
  ["0 16 * * 5", "Fridays at 16:00"],
  ["0 * * * *", "Every hour"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["0 8 1 * *", "First of the month at 08:00"],
];

export function Triggers({ onTriggers, ...editing }: Props) {
  const all = list(editing.definition.triggers).map(fields);
  return (
    <div className="space-y-3">
      {all.map((trigger, index) => (
        <TriggerCard
          key={index}
          {...editing}
          trigger={trigger}
          index={index}
          onTrigger={(next) => onTriggers(putAt(all, index, next))}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {NEW.map(([name, make]) => (
          <Button key={name} className="!px-2.5" onClick={() => onTriggers([...all, make()])}>
            + {name}
          </Button>
        ))}
        {all.length === 0 && <span className="text-xs text-faint">Without a trigger, only manual runs.</span>}
      </div>
    </div>
  );
}

interface TriggerCardProps extends Editing {
  trigger: Fields;
  index: number;
  onTrigger: (trigger: Fields | undefined) => void;
}

function TriggerCard({ trigger, index, onTrigger, definition, problems, schedules, schema }: TriggerCardProps) {
  const schedule = schedules.find((each) => each.trigger === index);
  const pointer = `/triggers/${index}`;
  const [type, config] = [text(trigger.type), fields(trigger.config)];
  const configSchema = useMemo(() => schemaOf(schema, type), [schema, type]);
  const setConfig = (next: Fields) => onTrigger({ ...trigger, config: next });
  const mapping = config.input_mapping;
  return (
    <Card
      name={`trigger ${index + 1}`}
      onRemove={() => onTrigger(undefined)}
      head={
        <span className="min-w-0 font-medium first-letter:uppercase">
          <TriggerText trigger={{ type, config }} description={schedule?.description} />
        </span>
      }
    >
      <FieldErrors messages={[...at(problems, pointer), ...at(problems, `${pointer}/type`)]} />
      {type === "schedule" && (
        <SchedulePresets config={config} schedule={schedule} onCron={(cron) => setConfig({ ...config, cron })} />
      )}
      <SchemaForm
        id={`trigger-${index}`}
        schema={configSchema}
        value={config}
        errors={errorsOf(problems, `${pointer}/config`)}
        onChange={(next) => setConfig(put(next, "input_mapping", mapping))}
      />
      {type !== "schedule" && (
        <Mapping
          definition={definition}
          index={index}
          mapping={fields(mapping)}
          errors={problems
            .filter((each) => each.pointer.startsWith(`${pointer}/config/input_mapping`))
            .map((each) => each.message)}
          onMapping={(next) =>
            setConfig(put(config, "input_mapping", Object.keys(next).length === 0 ? undefined : next))
          }
        />
      )}
    </Card>
  );
}

/** The schema of this trigger type, without the input mapping, which has its own table. */
function schemaOf(schema: Fields, type: string): Fields {
  const rules = list(fields(fields(schema.$defs).Trigger).allOf).map(fields);
  const mine = rules.find((rule) => fields(fields(fields(rule.if).properties).type).const === type);
  const config = fields(fields(fields(mine?.then).properties).config);
  return {
    ...config,
    properties: put(fields(config.properties), "input_mapping", undefined),
    $defs: schema.$defs,
  };
}

interface PresetsProps {
  config: Fields;
  schedule: Schedule | undefined;
  onCron: (cron: string) => void;
}

function SchedulePresets({ config, schedule, onCron }: PresetsProps) {
  const now = useNow();
  const cron = text(config.cron);
  const times = schedule?.next.map((at) => Date.parse(at)) ?? [];
  return (
    <div className="space-y-3">
      {times.length > 0 && <NextTimes times={times} zone={text(config.timezone)} now={now} />}
      {schedule !== undefined && times.length === 0 && <p className="text-xs text-warn">This schedule never fires.</p>}
      <div className="flex flex-wrap gap-1.5">
        {PRESETS.map(([each, name]) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === cron}
            onClick={() => onCron(each)}
            className={`rounded-full border px-2.5 py-1 text-xs ${
              each === cron ? "border-accent bg-accent-wash text-accent" : "border-edge text-soft hover:border-strong"
            }`}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function Mapping({
  definition,
  index,
  mapping,
  errors,
  onMapping,
}: {
  definition: Fields;
  index: number;
  mapping: Fields;
  errors: string[];
  onMapping: (mapping: Fields) => void;
}) {
  const names = [...new Set([...inputs(definition).map((input) => input.name), ...Object.keys(mapping)])];
  if (names.length === 0)
    return (
      <p className="text-xs text-faint">No inputs. Inputs declared below can be taken from the request or event.</p>
    );
  return (
    <fieldset className="space-y-2">
      <legend className="text-[0.8125rem] font-medium">Input mapping</legend>
      {names.map((name) => (
        <div key={name} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <label htmlFor={`map-${index}-${name}`} className="truncate font-mono text-[0.8125rem] text-soft">
            <Line text={name} />
          </label>
          <input
            id={`map-${index}-${name}`}
            className="input !font-mono !text-[0.8125rem]"
            spellCheck={false}
            placeholder="default value, or a path such as $.build.branch"
            value={text(mapping[name])}
            onChange={(event) =>
              onMapping(put(mapping, name, event.target.value === "" ? undefined : event.target.value))
            }
          />
        </div>
      ))}
      <FieldErrors messages={errors} />
    </fieldset>
  );
}
