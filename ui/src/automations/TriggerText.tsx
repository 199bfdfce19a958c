// A trigger in words. A schedule shows the gateway's description, or its cron expression where there is none.
import { Line } from "../text/Visible";
import { type Trigger, text } from "./definition";
import { describeTrigger } from "./describe";

export function TriggerText({ trigger, description }: { trigger: Trigger; description?: string | undefined }) {
  if (trigger.type !== "schedule") return <Line text={describeTrigger(trigger)} />;
  const cron = text(trigger.config.cron);
  // The description ends with the time zone.
  if (description !== undefined && description !== "") return <Line text={description} />;
  return (
    <>
      <code className="font-mono">
        <Line text={cron === "" ? "no schedule" : cron} />
      </code>{" "}
      (<Line text={text(trigger.config.timezone) || "no time zone"} />)
    </>
  );
}
