// One change: who made it and how, the state before and after, and its signed record.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Details } from "../../approval/ItemDetails";
import { Person } from "../../people/Person";
import { useNow } from "../../text/now";
import { ago, moment } from "../../text/time";
import { Block, Line } from "../../text/Visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Icon } from "../../ui/icons";
import { Fact, Facts, Section } from "../../ui/Section";
import { BeforeAfter } from "./BeforeAfter";
import { ChangeRecord } from "./ChangeRecord";
import { methodText } from "./kinds";
import { type Change, change } from "./queries";
import { Author, Authors, ChangeSentence } from "./Words";

export function ChangePage() {
  const { change: id } = useParams({ strict: false }) as { change: string };
  const { data, error } = useQuery(change(id));
  if (data === undefined)
    return error === null ? (
      <Loading what="the change" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  return (
    <article aria-label="Change">
      <Head view={data} />
      <div className="mx-auto grid max-w-6xl gap-6 p-4 md:p-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="min-w-0 space-y-6">
          <ChangeDetails view={data} />
          <BeforeAfter before={data.before} after={data.after} />
          <Details rows={ids(data)} />
        </div>
        <div className="min-w-0 space-y-6">
          <ChangeRecord key={data.id} view={data} />
          <Related view={data} />
        </div>
      </div>
    </article>
  );
}

function Head({ view }: { view: Change }) {
  const now = useNow();
  return (
    <header
      className={`flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        md:px-6`}
    >
      <Link
        to="/activity/changes"
        aria-label="Back to changes"
        className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk"
      >
        <Icon name="back" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="text-base font-semibold wrap-anywhere">
          <ChangeSentence change={view} />
        </h1>
        <p className="text-xs text-faint">
          by <Authors by={view.by} />{" "}
          <time dateTime={view.at} title={moment(view.at)}>
            {ago(view.at, now)}
          </time>
        </p>
      </div>
    </header>
  );
}

function ChangeDetails({ view: { by, address, at, reason } }: { view: Change }) {
  return (
    <Section title="Details">
      <Facts>
        <Fact name="Changed by">
          <Author by={by} />
        </Fact>
        {by.countersigned_by != null && (
          <Fact name="Countersigned by">
            <Person id={by.countersigned_by} />
          </Fact>
        )}
        <Fact name="Method">
          <Line text={methodText(by.method)} />
        </Fact>
        <Fact name="IP address">{address == null ? <None /> : <Line text={address} />}</Fact>
        <Fact name="Time">
          <time dateTime={at}>{moment(at)}</time>
        </Fact>
        <Fact name="Reason">{reason == null || reason === "" ? <None /> : <Block text={reason} quoted />}</Fact>
      </Facts>
    </Section>
  );
}

function None() {
  return <span className="text-faint">none</span>;
}

function Related({ view: { subject, by } }: { view: Change }) {
  const link = "text-accent hover:underline";
  return (
    <Section title="Related">
      <ul className="space-y-1 rounded-xl border border-edge bg-card px-4 py-3">
        <li>
          <Link to="/activity/changes" search={{ subject }} className={link}>
            All changes of the same object
          </Link>
        </li>
        {by.user != null && (
          <li>
            <Link to="/activity/changes" search={{ user: by.user }} className={link}>
              All changes by <Author by={by} />
            </Link>
          </li>
        )}
      </ul>
    </Section>
  );
}

function ids({ id, change: kind, subject, by }: Change): [string, string][] {
  const rows: [string, string | null | undefined][] = [
    ["change record", id],
    ["change", kind],
    ["object", subject],
    ["user", by.user],
    ["countersigned by", by.countersigned_by],
    ["token", by.token],
  ];
  return rows.flatMap(([name, value]) => (value == null ? [] : [[name, value] as [string, string]]));
}
