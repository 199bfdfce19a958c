// The triggers of an automation: schedules with next times, webhooks with URL and token, events with their filter.
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { attempt } from "../../frame/attempt";
import { notify } from "../../frame/toasts";
import { useNow } from "../../text/now";
import { ago, untilText } from "../../text/time";
import { Line } from "../../text/Visible";
import { Badge } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/icons";
import { type Fields, fields, text, triggers as triggersOf } from "../definition";
import { NewTokens } from "../NewTokens";
import { revoke, rotate, type Schedule } from "../queries";
import { TriggerText } from "../TriggerText";

type Trigger = Schemas["TriggerView"];

interface Props {
  triggers: readonly Trigger[];
  definition: Fields;
  /** From the validation of the definition. */
  schedules: readonly Schedule[];
  isPaused: boolean;
}

export function Triggers({ triggers, definition, schedules, isPaused }: Props) {
  const declared = triggersOf(definition);
  const scheduleOf = ({ config }: Trigger) => {
    const { cron, timezone } = fields(config);
    const index = declared.findIndex((each) => each.config.cron === cron && each.config.timezone === timezone);
    return schedules.find((each) => each.trigger === index);
  };
  if (triggers.length === 0)
    return (
      <p className="rounded-xl border border-edge bg-card px-4 py-3 text-soft">
        No triggers: manual runs only. Edit the automation to add one.
      </p>
    );
  return (
    <ul aria-label="Triggers" className="space-y-3">
      {triggers.map((trigger) => (
        <TriggerCard
          key={trigger.id}
          trigger={trigger}
          schedule={trigger.type === "schedule" ? scheduleOf(trigger) : undefined}
          isPaused={isPaused}
        />
      ))}
    </ul>
  );
}

interface TriggerCardProps {
  trigger: Trigger;
  schedule: Schedule | undefined;
  isPaused: boolean;
}

function TriggerCard({ trigger, schedule, isPaused }: TriggerCardProps) {
  const now = useNow();
  const config = fields(trigger.config);
  const mapping = Object.entries(fields(config.input_mapping));
  return (
    <li className="space-y-2.5 rounded-xl border border-edge bg-card px-4 py-3">
      <div className="flex flex-wrap items-start gap-2">
        <Icon
          name={trigger.type === "schedule" ? "clock" : trigger.type === "webhook" ? "inbox" : "activity"}
          className="mt-0.5 size-4"
        />
        <p className="min-w-0 flex-1 font-medium first-letter:uppercase">
          <TriggerText trigger={{ type: trigger.type, config }} description={schedule?.description} />
        </p>
        {(!trigger.enabled || isPaused) && <Badge>off</Badge>}
      </div>
      {trigger.type === "schedule" && !isPaused && trigger.enabled && (
        <Next trigger={trigger} schedule={schedule} now={now} />
      )}
      {mapping.length > 0 && (
        <ul className="space-y-0.5 text-xs text-faint">
          {mapping.map(([name, path]) => (
            <li key={name}>
              <code className="font-mono">
                <Line text={name} />
              </code>{" "}
              from{" "}
              <code className="font-mono">
                <Line text={String(path)} />
              </code>
            </li>
          ))}
        </ul>
      )}
      {trigger.path != null && <WebhookTrigger trigger={trigger} path={trigger.path} />}
      {trigger.last_fired_at != null && (
        <p className="text-xs text-faint">Last fired {ago(trigger.last_fired_at, now)}</p>
      )}
    </li>
  );
}

function Next({ trigger, schedule, now }: Pick<TriggerCardProps, "trigger" | "schedule"> & { now: number }) {
  const times = schedule?.next ?? (trigger.next_at == null ? [] : [trigger.next_at]);
  if (times.length === 0) return null;
  return <NextTimes times={times.map((at) => Date.parse(at))} zone={text(fields(trigger.config).timezone)} now={now} />;
}

export function NextTimes({ times, zone, now }: { times: readonly number[]; zone: string; now: number }) {
  const format = clockOf(zone);
  return (
    <ol aria-label="Next times" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft tabular-nums">
      {times.map((at, index) => (
        <li key={at}>
          <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>
          {index === 0 && <span className="text-faint"> ({untilText(new Date(at).toISOString(), now)})</span>}
        </li>
      ))}
    </ol>
  );
}

/** Times in the zone of the schedule, or in the local zone if it is unknown. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const parts: Intl.DateTimeFormatOptions = {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  };
  try {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZoneName: "short" });
  }
}

function WebhookTrigger({ trigger, path }: { trigger: Trigger; path: string }) {
  const [newToken, setNewToken] = useState<Schemas["NewHookTokenView"] | null>(null);
  const [confirming, setConfirming] = useState<"rotate" | "revoke" | null>(null);
  const go = async () => {
    const what = confirming;
    setConfirming(null);
    await attempt(async () => {
      if (what === "rotate") return setNewToken(await rotate(trigger.id));
      await revoke(trigger.id);
      notify("good", "Token revoked", "Requests are rejected until you create a new token.");
    });
  };
  return (
    <>
      <p className="wrap-anywhere rounded-lg bg-sunk px-3 py-2 font-mono text-xs">
        <span className="select-none text-faint">POST </span>
        {location.origin}
        <Line text={path} />
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto text-xs text-faint">
          {trigger.has_token === true
            ? "A token is active. It was shown only once."
            : "No token: every request is rejected."}
        </span>
        {trigger.has_token === true && (
          <Button variant="quiet" className="!px-2.5" onClick={() => setConfirming("revoke")}>
            Revoke token
          </Button>
        )}
        <Button
          className="!px-2.5"
          onClick={() =>
            trigger.has_token === true ? setConfirming("rotate") : void rotate(trigger.id).then(setNewToken)
          }
        >
          {" "}
          New token{" "}
        </Button>
      </div>
      <Dialog
        title={confirming === "rotate" ? "Create a new token?" : "Revoke the token?"}
        isOpen={confirming !== null}
        onClose={() => setConfirming(null)}
      >
        <p className="mb-4">
          {confirming === "rotate"
            ? "The old token stops working immediately. Senders need the new one."
            : "Every request is rejected until you create a new token."}
        </p>
        <div className="flex flex-row-reverse gap-2">
          <Button variant={confirming === "rotate" ? "primary" : "bad"} onClick={() => void go()}>
            {confirming === "rotate" ? "Create token" : "Revoke"}
          </Button>
          <Button variant="quiet" onClick={() => setConfirming(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
      <NewTokens tokens={newToken === null ? [] : [newToken]} onClose={() => setNewToken(null)} />
    </>
  );
}
