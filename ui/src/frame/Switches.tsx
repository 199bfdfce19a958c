// Menus to switch organization and space.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { me } from "../api/queries";
import { spaces } from "../settings/queries";
import { Line } from "../text/Visible";
import { Icon } from "../ui/icons";
import { switchOrg } from "./orgs";
import { chooseSpace, useSpace } from "./space";

const ALL = "";
const item =
  "flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2.5 md:py-1.5 outline-none data-[highlighted]:bg-sunk";

function Choices({
  name,
  chosen,
  options,
  onChoose,
}: {
  name: string;
  chosen: string;
  options: [string, string][];
  onChoose: (id: string) => void;
}) {
  return (
    <DropdownMenu.RadioGroup value={chosen} onValueChange={onChoose} aria-label={name}>
      <DropdownMenu.Label className="eyebrow px-2.5 pt-2 pb-1">{name}</DropdownMenu.Label>
      {options.map(([id, label]) => (
        <DropdownMenu.RadioItem key={id} value={id} className={item}>
          <span className="size-4">
            <DropdownMenu.ItemIndicator>
              <Icon name="check" />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className="max-w-56 truncate">
            <Line text={label} />
          </span>
        </DropdownMenu.RadioItem>
      ))}
      <DropdownMenu.Separator className="my-1 h-px bg-edge" />
    </DropdownMenu.RadioGroup>
  );
}

/** Only with more than one organization. */
export function OrgChoices() {
  const user = useQuery(me).data;
  const orgs = user?.orgs ?? [];
  if (orgs.length < 2) return null;
  return (
    <Choices
      name="Organization"
      chosen={user?.org_slug ?? ""}
      options={orgs.map((each) => [each.slug, each.name])}
      onChoose={(slug) => void (slug !== user?.org_slug && switchOrg(slug))}
    />
  );
}

export function useChooseSpace(): (slug: string | null) => void {
  const navigate = useNavigate();
  return (slug) => {
    chooseSpace(slug);
    // A space in the URL would take precedence.
    void navigate({
      to: ".",
      search: (({ space: _, ...rest }: Record<string, unknown>) => rest) as never,
      replace: true,
    });
  };
}

export function SpaceChoices() {
  const known = useQuery(spaces).data ?? [];
  const chosen = useSpace();
  const choose = useChooseSpace();
  if (known.length < 2) return null;
  return (
    <Choices
      name="Space"
      chosen={chosen ?? ALL}
      options={[[ALL, "All spaces"], ...known.map((space) => [space.slug, space.name] as [string, string])]}
      onChoose={(slug) => choose(slug === ALL ? null : slug)}
    />
  );
}

export function SpaceSwitch() {
  const known = useQuery(spaces).data ?? [];
  const chosen = useSpace();
  if (known.length < 2) return null;
  const name = known.find((space) => space.slug === chosen)?.name ?? chosen;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className={`mx-3 mt-2 flex items-center gap-2 rounded-lg border px-2.5 py-1.5 text-left hover:border-strong
          ${chosen === null ? "border-edge text-soft" : "border-accent text-accent"}`}
      >
        <Icon name="space" />
        <span className="sr-only">Space: </span>
        <span className="min-w-0 flex-1 truncate">{name === null ? "All spaces" : <Line text={name} />}</span>
        <span className="-rotate-90">
          <Icon name="back" className="size-3" />
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side="top"
          align="start"
          sideOffset={6}
          className="z-50 min-w-48 rounded-xl border border-edge bg-card p-1 shadow-lg"
        >
          <SpaceChoices />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
