// What starts an automation: schedules with the moments they come next, webhooks with their address and token, events with
// their filter.
import { useState } from "react";
import type { Schemas } from "../api/client";
import { attempt } from "../frame/attempt";
import { notify } from "../frame/notices";
import { useNow } from "../text/now";
import { ago, ahead } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { nextTimes } from "./cron";
import { fields, text } from "./definition";
import { revoke, rotate } from "./queries";
import { NewTokens } from "./NewTokens";
import { triggerWords } from "./words";

type Trigger = Schemas["TriggerView"];

export function Triggers({ triggers, isPaused }: { triggers: readonly Trigger[]; isPaused: boolean }) {
  if (triggers.length === 0) return <p className="rounded-xl border border-edge bg-card px-4 py-3 text-soft">Only a person starts it. A trigger can be added when it is edited.</p>;
  return (
    <ul aria-label="Triggers" className="space-y-3">
      {triggers.map((trigger) => <One key={trigger.id} trigger={trigger} isPaused={isPaused} />)}
    </ul>
  );
}

function One({ trigger, isPaused }: { trigger: Trigger; isPaused: boolean }) {
  const now = useNow();
  const config = fields(trigger.config);
  const mapping = Object.entries(fields(config["input_mapping"]));
  return (
    <li className="space-y-2.5 rounded-xl border border-edge bg-card px-4 py-3">
      <div className="flex flex-wrap items-start gap-2">
        <Icon name={trigger.type === "schedule" ? "clock" : trigger.type === "webhook" ? "inbox" : "activity"} className="mt-0.5 size-4" />
        <p className="min-w-0 flex-1 font-medium first-letter:uppercase"><Line text={triggerWords({ type: trigger.type, config })} /></p>
        {(!trigger.enabled || isPaused) && <Badge>off</Badge>}
      </div>
      {trigger.type === "schedule" && !isPaused && trigger.enabled && <Next trigger={trigger} now={now} />}
      {mapping.length > 0 && (
        <ul className="space-y-0.5 text-xs text-faint">
          {mapping.map(([name, path]) => <li key={name}><code className="font-mono"><Line text={name} /></code> from <code className="font-mono"><Line text={String(path)} /></code></li>)}
        </ul>
      )}
      {trigger.path != null && <Hook trigger={trigger} path={trigger.path} />}
      {trigger.last_fired_at != null && <p className="text-xs text-faint">fired last {ago(trigger.last_fired_at, now)}</p>}
    </li>
  );
}

function Next({ trigger, now }: { trigger: Trigger; now: number }) {
  const config = fields(trigger.config);
  const zone = text(config["timezone"]);
  if (trigger.next_at == null) return null;
  const first = Date.parse(trigger.next_at);
  return <NextTimes times={[first, ...nextTimes(text(config["cron"]), zone, first, 2)]} zone={zone} now={now} />;
}

export function NextTimes({ times, zone, now }: { times: readonly number[]; zone: string; now: number }) {
  const format = clockOf(zone);
  return (
    <ol aria-label="Next times" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft tabular-nums">
      {times.map((at, index) => (
        <li key={at}><time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>{index === 0 && <span className="text-faint"> ({ahead(new Date(at).toISOString(), now)})</span>}</li>
      ))}
    </ol>
  );
}

/** The zone's own clock; this device's, where it does not know the zone. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const parts: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  try {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(undefined, { ...parts, timeZoneName: "short" });
  }
}

function Hook({ trigger, path }: { trigger: Trigger; path: string }) {
  const [made, setMade] = useState<Schemas["NewHookTokenView"] | null>(null);
  const [asked, setAsked] = useState<"rotate" | "revoke" | null>(null);
  const go = async () => {
    const what = asked;
    setAsked(null);
    await attempt(async () => {
      if (what === "rotate") return setMade(await rotate(trigger.id));
      await revoke(trigger.id);
      notify("good", "The token is taken away", "Requests are refused until there is another.");
    });
  };
  return (
    <>
      <p className="wrap-anywhere rounded-lg bg-sunk px-3 py-2 font-mono text-xs"><span className="select-none text-faint">POST </span>{location.origin}<Line text={path} /></p>
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto text-xs text-faint">{trigger.has_token === true ? "A token opens it; it was shown once." : "No token opens it: every request is refused."}</span>
        {trigger.has_token === true && <Button look="quiet" className="!px-2.5" onClick={() => setAsked("revoke")}>Take the token away</Button>}
        <Button className="!px-2.5" onClick={() => (trigger.has_token === true ? setAsked("rotate") : void rotate(trigger.id).then(setMade))}>New token</Button>
      </div>
      <Dialog title={asked === "rotate" ? "Make a new token?" : "Take the token away?"} isOpen={asked !== null} onClose={() => setAsked(null)}>
        <p className="mb-4">{asked === "rotate" ? "The old token opens nothing from that moment. Whoever sends requests needs the new one." : "Every request is refused until there is a new token."}</p>
        <div className="flex flex-row-reverse gap-2">
          <Button look={asked === "rotate" ? "primary" : "bad"} onClick={() => void go()}>{asked === "rotate" ? "Make a new token" : "Take it away"}</Button>
          <Button look="quiet" onClick={() => setAsked(null)}>Back</Button>
        </div>
      </Dialog>
      <NewTokens tokens={made === null ? [] : [made]} onClose={() => setMade(null)} />
    </>
  );
}
