// The starters: shipped policies with their facts and cases.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../../api/permissions";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Empty, Loading, ProblemCard } from "../../ui/Bits";
import { Icon } from "../../ui/icons";
import { Markdown } from "../markdown/Markdown";
import { starters } from "../queries";
import type { Starter } from "../types";
import { counted } from "../words";
import { StarterForm } from "./StarterForm";

export function StartersPage() {
  return (
    <WithStarters title="Starters" about="Policies to begin with" back="policies">
      {(all) => <Gallery all={all} />}
    </WithStarters>
  );
}

export function StarterPage() {
  const { starter: name } = useParams({ strict: false }) as { starter: string };
  const title = useQuery(starters).data?.find((each) => each.name === name)?.title ?? "Starter";
  return (
    <WithStarters title={title} about="Fill in, test and add" back="starters">
      {(all) => {
        const starter = all.find((each) => each.name === name);
        return starter === undefined ? (
          <Empty icon="policy" title={`No starter is named ${plain(name)}`} />
        ) : (
          <StarterForm key={name} starter={starter} />
        );
      }}
    </WithStarters>
  );
}

interface Props {
  title: string;
  about: string;
  back: "policies" | "starters";
  children: (all: readonly Starter[]) => ReactNode;
}

function WithStarters({ title, about, back, children }: Props) {
  const isAdmin = useMay("admin");
  const { data, error } = useQuery({ ...starters, enabled: isAdmin === true });
  const look = "-ml-2 rounded-md p-2 text-accent hover:bg-sunk";
  return (
    <>
      <header className="flex min-h-14 shrink-0 items-center gap-3 border-b border-edge bg-card px-4 py-2.5 md:px-6">
        {back === "starters" ? (
          <Link to="/policy/starters" aria-label="Back to starters" className={look}>
            <Icon name="back" />
          </Link>
        ) : (
          <Link to="/policy" hash="policies" aria-label="Back to policies" className={look}>
            <Icon name="back" />
          </Link>
        )}
        <div className="min-w-0">
          <h1 className="truncate text-base font-semibold">
            <Line text={title} />
          </h1>
          <p className="text-xs text-faint">{about}</p>
        </div>
      </header>
      {isAdmin === false && <Empty icon="policy" title="Only admins can add policies" />}
      {isAdmin !== false && data === undefined && error === null && <Loading what="starters" />}
      {error !== null && (
        <div className="p-4">
          <ProblemCard error={error} />
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

function Gallery({ all }: { all: readonly Starter[] }) {
  return (
    <ul aria-label="Starters" className="mx-auto grid w-full max-w-5xl gap-3 p-4 md:grid-cols-2 md:p-6">
      {all.map((starter) => (
        <li
          key={starter.name}
          className={`relative flex flex-col gap-2 rounded-xl border border-edge bg-card p-4 hover:border-accent
            has-focus-visible:border-accent`}
        >
          <h2 className="font-semibold">
            <Link
              to="/policy/starters/$starter"
              params={{ starter: starter.name }}
              className="after:absolute after:inset-0 after:rounded-xl"
            >
              <Line text={starter.title} />
            </Link>
          </h2>
          <div className="flex-1 text-soft">
            <Markdown text={starter.about} isShort />
          </div>
          <p className="text-xs text-faint">
            {starter.facts.length === 0 ? "no facts" : counted(starter.facts.length, "fact")},{" "}
            {counted(starter.cases.length, "case")}
          </p>
        </li>
      ))}
    </ul>
  );
}
