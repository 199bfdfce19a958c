// The versions, newest first, each with its changes.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNow } from "../../text/now";
import { ago, moment } from "../../text/time";
import { Line } from "../../text/Visible";
import { Badge, Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Differences } from "../Differences";
import type { Fields } from "../definition";
import { differences } from "../diff";
import { people, type Version, versions } from "../queries";

export function Versions({ id, current }: { id: string; current: number }) {
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(versions(id));
  const [open, setOpen] = useState<number | null>(null);
  if (data === undefined) return error === null ? <Loading what="versions" /> : <ProblemCard error={error} />;
  const all = data.pages.flatMap((page) => page.items);
  return (
    <>
      <ul aria-label="Versions" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
        {all.map((version, index) => (
          <VersionRow
            key={version.version}
            version={version}
            before={all[index + 1]}
            isCurrent={version.version === current}
            isOpen={open === version.version}
            onToggle={() => setOpen(open === version.version ? null : version.version)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <p className="mt-2">
          <Button variant="quiet" onClick={() => void fetchNextPage()}>
            Show older versions
          </Button>
        </p>
      )}
    </>
  );
}

interface VersionRowProps {
  version: Version;
  before: Version | undefined;
  isCurrent: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

function VersionRow({ version, before, isCurrent, isOpen, onToggle }: VersionRowProps) {
  const now = useNow();
  const author = useQuery(people).data?.[version.saved_by] ?? version.saved_by;
  const [was, is] = [before?.definition as Fields | undefined, version.definition as Fields];
  const count = was === undefined ? 0 : differences(was, is).length;
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <span className="font-medium">Version {version.version}</span>
        {isCurrent && <Badge tone="good">current</Badge>}
        <span className="min-w-0 flex-1 truncate text-xs text-faint max-md:order-last max-md:w-full max-md:flex-none">
          saved by <Line text={author} />,{" "}
          <time dateTime={version.saved_at} title={moment(version.saved_at)}>
            {ago(version.saved_at, now)}
          </time>
        </span>
        {was === undefined ? (
          <span className="text-xs text-faint">{version.version === 1 ? "first version" : ""}</span>
        ) : (
          <Button variant="quiet" className="!px-2.5" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? "Hide" : "Show"} {count} {count === 1 ? "change" : "changes"}
          </Button>
        )}
      </div>
      {isOpen && was !== undefined && (
        <div className="border-t border-edge">
          <Differences
            before={was}
            after={is}
            names={[`version ${version.version - 1}`, `version ${version.version}`]}
          />
        </div>
      )}
    </li>
  );
}
