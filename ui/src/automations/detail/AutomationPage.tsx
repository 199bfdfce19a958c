// One automation: triggers, steps, runs and versions.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { Details } from "../../approval/ItemDetails";
import { automationTarget } from "../../conduct/conduct";
import { StopButtons } from "../../conduct/StopButtons";
import { TargetBadge } from "../../conduct/Words";
import { attempt } from "../../frame/attempt";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { Badge, Loading, ProblemCard, StatusBadge } from "../../ui/Bits";
import { Button, buttonClass } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/icons";
import { Section } from "../../ui/Section";
import { type Fields, fields, inputs, list, onFailure, plan, text } from "../definition";
import { describeLimits } from "../describe";
import { withFlows } from "../flow";
import { automation as automationQuery, type Detail, flows, setStatus, validate } from "../queries";
import { RunNow } from "../RunNow";
import { Flows } from "./Flows";
import { LastRuns } from "./LastRuns";
import { Plan } from "./Plan";
import { Triggers } from "./Triggers";
import { Versions } from "./Versions";

export function AutomationPage() {
  const { automation: id } = useParams({ strict: false }) as { automation: string };
  const { data, error } = useQuery(automationQuery(id));
  const outlook = useQuery({
    queryKey: ["automations", id, "outlook", data?.version],
    queryFn: ({ signal }) => validate(data?.definition as Fields, { automation: id }, signal),
    enabled: data !== undefined,
    staleTime: 60_000,
  });
  const heldFlows = useQuery(flows(id));
  if (data === undefined)
    return error === null ? (
      <Loading what="the automation" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  const definition = data.definition as Fields;
  const [steps, late] = [plan(definition), onFailure(definition)];
  const outlooks = withFlows(outlook.data?.steps ?? [], heldFlows.data);
  return (
    <>
      <header
        className={`flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        md:px-6`}
      >
        <Link
          to="/automations"
          aria-label="Back to automations"
          className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk"
        >
          <Icon name="back" />
        </Link>
        <div className="min-w-0 flex-1">
          <h1 className="flex flex-wrap items-center gap-x-2 text-base font-semibold">
            <span className="max-w-full truncate">
              <Line text={data.name} />
            </span>{" "}
            <StatusBadge status={data.status} />
            <TargetBadge target={automationTarget(data)} />
          </h1>
          <p className="truncate text-xs text-faint">
            version {data.version} · {data.runs} {data.runs === 1 ? "run" : "runs"}
          </p>
        </div>
        <StopButtons target={automationTarget(data)} />
        <HeaderActions automation={data} />
      </header>
      <div className="mx-auto grid w-full max-w-6xl gap-6 p-4 md:p-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="min-w-0 space-y-6">
          {data.goal !== "" && (
            <p className="text-[0.9375rem] text-soft">
              <Line text={data.goal} />
            </p>
          )}
          <Section title="Triggers">
            <Triggers
              triggers={data.triggers}
              definition={definition}
              schedules={outlook.data?.schedules ?? []}
              isPaused={data.status !== "active"}
            />
          </Section>
          <Section title="Steps">
            <Plan steps={steps} outlooks={outlooks} name="Steps" />
          </Section>
          {late.length > 0 && (
            <Section title="On failure">
              <Plan steps={late} before={steps} outlooks={outlooks} name="Steps on failure" />
            </Section>
          )}
          <Flows automation={data.id} />
          <Section title="Versions">
            <Versions id={data.id} current={data.version} />
          </Section>
        </div>
        <aside className="min-w-0 space-y-6">
          <LastRuns automation={data} />
          <Inputs definition={definition} />
          <Section title="Limits">
            <ul className="space-y-1.5 rounded-xl border border-edge bg-card px-4 py-3 text-soft">
              {describeLimits(fields(definition.execution)).map((each) => (
                <li key={each}>
                  <Line text={each} />
                </li>
              ))}
            </ul>
          </Section>
          <Tags definition={definition} />
          <Details
            rows={[
              ["automation", data.id],
              ["space", data.space],
              ["created by", data.created_by],
            ]}
          />
        </aside>
      </div>
    </>
  );
}

function Inputs({ definition }: { definition: Fields }) {
  const all = inputs(definition);
  return (
    <Section title="Inputs">
      {all.length === 0 ? (
        <p className="rounded-xl border border-edge bg-card px-4 py-3 text-soft">None</p>
      ) : (
        <ul className="divide-y divide-edge rounded-xl border border-edge bg-card">
          {all.map(({ name, type, isRequired, schema }) => (
            <li key={name} className="flex flex-wrap items-baseline gap-x-2 px-4 py-2">
              <code className="font-mono text-[0.8125rem] wrap-anywhere">
                <Line text={name} />
              </code>
              <span className="text-xs text-faint">
                <Line text={type} />
              </span>
              <span className="ml-auto min-w-0 truncate text-xs text-faint">
                {isRequired
                  ? "required"
                  : schema.default !== undefined && (
                      <>
                        default{" "}
                        <code className="font-mono">
                          <Line
                            text={typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default)}
                          />
                        </code>
                      </>
                    )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Tags({ definition }: { definition: Fields }) {
  const tags = list(fields(definition.metadata).tags).map(text);
  if (tags.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {tags.map((tag, index) => (
        <Badge key={index}>
          <Line text={tag} />
        </Badge>
      ))}
    </div>
  );
}

function HeaderActions({ automation }: { automation: Detail }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"run" | "archive" | null>(null);
  const isPaused = automation.status === "paused";
  const toggle = () =>
    attempt(async () => {
      await setStatus(automation.id, isPaused ? "active" : "paused");
      notify(
        "good",
        isPaused ? "Resumed" : "Paused",
        isPaused ? "Its triggers are active again." : "Triggers are off. Runs in progress continue.",
      );
    });
  const archive = () =>
    attempt(async () => {
      setDialog(null);
      await setStatus(automation.id, "archived");
      notify("good", "Archived", "The name can be used again. Runs and receipts are kept.");
      void navigate({ to: "/automations" });
    });
  const item =
    "flex cursor-pointer items-center rounded-md px-3 py-2.5 md:py-1.5 outline-none data-[highlighted]:bg-sunk";
  return (
    <div className="flex gap-2 max-md:w-full max-md:[&>*:not([aria-haspopup])]:flex-1">
      <Button variant="primary" onClick={() => setDialog("run")}>
        Run now
      </Button>
      <Link to="/automations/$automation/edit" params={{ automation: automation.id }} className={buttonClass("plain")}>
        Edit
      </Link>
      <Button onClick={() => void toggle()}>{isPaused ? "Resume" : "Pause"}</Button>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <Button className="!px-2.5" aria-label="More">
            <Icon name="more" />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={6}
            className="z-50 min-w-44 rounded-xl border border-edge bg-card p-1 shadow-lg"
          >
            <DropdownMenu.Item asChild className={item}>
              <Link to="/automations/new" search={{ from: automation.id }}>
                Duplicate
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild className={item}>
              <Link to="/runs" search={{ automation: automation.id }}>
                All runs
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item className={`${item} text-bad`} onSelect={() => setDialog("archive")}>
              Archive …
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <RunNow id={automation.id} name={automation.name} isOpen={dialog === "run"} onClose={() => setDialog(null)} />
      <Dialog title="Archive this automation?" isOpen={dialog === "archive"} onClose={() => setDialog(null)}>
        <p className="mb-4">The automation no longer runs and leaves the list. Runs, versions and receipts are kept.</p>
        <div className="flex flex-row-reverse gap-2">
          <Button variant="bad" onClick={() => void archive()}>
            {" "}
            Archive{" "}
          </Button>
          <Button variant="quiet" onClick={() => setDialog(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
