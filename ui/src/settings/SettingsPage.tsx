// The settings: sections on the left, the selected one on the right; on a phone one after the other.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useMay } from "../api/permissions";
import { org } from "../api/queries";
import { Passkeys } from "../passkeys/Passkeys";
import { Members } from "../people/Members";
import { Tokens } from "../people/Tokens";
import { plain } from "../text/visible";
import { Empty, PageHead } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { Notifications } from "./Notifications";
import { OrgRules } from "./OrgRules";
import { PARTS, type Part } from "./parts";
import { Secrets } from "./Secrets";
import { Spaces } from "./Spaces";
import { Webhooks } from "./Webhooks";

const COMPONENTS: Record<Part["id"], ComponentType> = {
  members: Members,
  passkeys: Passkeys,
  tokens: Tokens,
  secrets: Secrets,
  spaces: Spaces,
  notifications: Notifications,
  webhooks: Webhooks,
  org: OrgRules,
};

export function SettingsPage() {
  const { part: id } = useParams({ strict: false }) as { part?: string };
  const part = PARTS.find((each) => each.id === (id ?? "members"));
  const where = useQuery(org).data;
  return (
    <>
      <div className={id === undefined ? "" : "max-md:hidden"}>
        <PageHead title="Settings" about={where === undefined ? "…" : plain(where.name)} />
      </div>
      <div className="flex min-h-0 flex-1 flex-col md:flex-row md:overflow-hidden">
        <nav
          aria-label="Settings"
          className={`shrink-0 border-edge md:block md:w-56 md:border-r md:p-3 ${id === undefined ? "" : "hidden"}`}
        >
          {PARTS.map((each) => (
            <Link
              key={each.id}
              to="/settings/$part"
              params={{ part: each.id }}
              aria-current={part?.id === each.id ? "page" : undefined}
              className={`flex items-center gap-2 border-b border-edge bg-card px-4 py-3
                md:rounded-lg md:border-0 md:px-2.5 md:py-1.5 ${
                  part?.id === each.id
                    ? "md:bg-accent-wash md:font-medium md:text-accent"
                    : "text-ink hover:bg-sunk md:bg-transparent md:text-soft"
                }`}
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium md:font-[inherit]">{each.name}</span>
                <span className="block text-xs text-faint md:hidden">{each.about}</span>
              </span>
              <span className="rotate-180 text-faint md:hidden">
                <Icon name="back" />
              </span>
            </Link>
          ))}
        </nav>
        <div className={`min-h-0 flex-1 md:block md:overflow-y-auto ${id === undefined ? "hidden" : ""}`}>
          <Link
            to="/settings"
            className="flex items-center gap-1 border-b border-edge bg-card px-3 py-3 font-medium text-accent md:hidden"
          >
            <Icon name="back" /> Settings
          </Link>
          {part === undefined ? (
            <Empty icon="search" title="Settings page not found" />
          ) : (
            <SettingsPart key={part.id} part={part} />
          )}
        </div>
      </div>
    </>
  );
}

function SettingsPart({ part }: { part: Part }) {
  const may = useMay(part.needs);
  const Inner = COMPONENTS[part.id];
  if (may === undefined) return null;
  if (!may) {
    return (
      <Empty icon="policy" title={`${part.name}: admins only`}>
        <p>You are signed in as a member. Only admins and owners can see this page.</p>
      </Empty>
    );
  }
  return (
    <div className="mx-auto max-w-3xl space-y-6 p-4 md:p-6">
      <Inner />
    </div>
  );
}
