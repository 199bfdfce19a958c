// What is around every page: the way in, the navigation (beside on a desk, below on a phone), notices, the palette.
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Refusal } from "../api/client";
import { useLive, useSilentSince } from "../api/live";
import { inbox } from "../api/inbox";
import { me, org } from "../api/queries";
import { Asking } from "../inbox/asking";
import { currentState, onSignInChange, signedIn, signedOut } from "../api/signin";
import { useNow } from "../text/now";
import { span } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { useHotkeys } from "./hotkeys";
import { Notices } from "./notices";
import { signOut } from "./orgs";
import { type Page, PAGES } from "./pages";
import { Palette, usePalette } from "./Palette";
import { SignIn } from "./SignIn";
import { OrgChoices, SpaceChoices, SpaceSwitch } from "./Switches";
import { choose, isDark } from "./theme";

const ON_PHONE = ["/inbox", "/runs", "/automations", "/activity"];

export function Frame() {
  const state = useSyncExternalStore(onSignInChange, currentState);
  return state === "out" ? <SignIn /> : <Known />;
}

/** Who is signed in, if anybody is: the gateway says it. */
function Known() {
  const { data, error, refetch } = useQuery(me);
  const isNobody = error instanceof Refusal && error.status === 401;
  const person = data === undefined ? null : `${data.org} ${data.user}`;
  const before = useRef(person);
  useEffect(() => {
    if (isNobody && currentState() === "unknown") signedOut();
    if (person === null) return;
    signedIn();
    // Another tab signed somebody else in: nothing on this page is theirs.
    if (before.current !== null && before.current !== person) location.reload();
    before.current = person;
  }, [isNobody, person]);
  if (person !== null) return <Inside />;
  if (error === null || isNobody) return <Loading what="who you are" />;
  return (
    <main className="mx-auto max-w-xl p-4 md:p-8">
      <ProblemCard error={error}><div className="pt-2"><Button onClick={() => void refetch()}>Try again</Button></div></ProblemCard>
    </main>
  );
}

function Inside() {
  useLive();
  const palette = usePalette();
  const navigate = useNavigate();
  useHotkeys(Object.fromEntries(PAGES.map((page) => [`g ${page.key}`, () => void navigate({ to: page.path })])));
  // On a phone one item has the whole page, and its answers stand where the navigation was.
  const isItem = useParams({ strict: false, select: (params) => "key" in params });
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-70 focus:bg-card focus:p-3">Skip to the page</a>
      <Side openPalette={palette.open} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Silence />
        <main id="main" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
          <Outlet />
        </main>
      </div>
      {!isItem && <Below />}
      <Palette isOpen={palette.isOpen} onClose={palette.close} />
      <Asking />
      <Notices />
    </div>
  );
}

function useWaiting(): string | null {
  const { data } = useQuery(inbox);
  if (data === undefined || data.items.length === 0) return null;
  return data.next_cursor === null ? String(data.items.length) : `${data.items.length}+`;
}

function Side({ openPalette }: { openPalette: () => void }) {
  const waiting = useWaiting();
  return (
    <aside className="hidden w-52 shrink-0 flex-col border-r border-edge bg-card md:flex">
      <div className="flex h-14 items-center gap-2.5 px-4">
        <img src="/icon.svg" alt="" className="size-6" />
        <span className="font-semibold">Countersign</span>
      </div>
      <button type="button" onClick={openPalette} className="mx-3 mb-3 flex items-center gap-2 rounded-lg border border-edge bg-page px-2.5 py-1.5 text-faint hover:border-strong">
        <Icon name="search" /> <span className="flex-1 text-left">Go to</span> <kbd className="font-sans text-xs">Ctrl K</kbd>
      </button>
      <nav aria-label="Pages" className="flex-1 space-y-0.5 px-3">
        {PAGES.map((page) => (
          <Link key={page.path} to={page.path} activeProps={{ className: "bg-accent-wash !text-accent font-medium" }}
            className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-soft hover:bg-sunk hover:text-ink">
            <Icon name={page.icon} />
            <span className="flex-1">{page.name}</span>
            {page.path === "/inbox" && waiting !== null && <Count text={waiting} />}
          </Link>
        ))}
      </nav>
      <SpaceSwitch />
      <Person />
    </aside>
  );
}

function Count({ text }: { text: string }) {
  return <span className="rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink" aria-label={`${text} wait`}>{text}</span>;
}

function Below() {
  const waiting = useWaiting();
  const shown = PAGES.filter((page) => ON_PHONE.includes(page.path));
  const tab = "relative flex flex-1 flex-col items-center gap-0.5 py-2 text-[0.6875rem] text-soft";
  return (
    <nav aria-label="Pages" className="flex shrink-0 border-t border-edge bg-card pb-[env(safe-area-inset-bottom)] md:hidden">
      {shown.map((page) => (
        <Link key={page.path} to={page.path} className={tab} activeProps={{ className: "!text-accent font-medium" }}>
          <span className="relative">
            <Icon name={page.icon} className="size-5" />
            {page.path === "/inbox" && waiting !== null && <span className="absolute -top-1.5 left-3"><Count text={waiting} /></span>}
          </span>
          {page.name}
        </Link>
      ))}
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className={tab}><Icon name="more" className="size-5" />More</DropdownMenu.Trigger>
        <Menu pages={PAGES.filter((page) => !ON_PHONE.includes(page.path))} hasSpaces />
      </DropdownMenu.Root>
    </nav>
  );
}

function Person() {
  const who = useQuery(me).data;
  const where = useQuery({ ...org, enabled: who !== undefined }).data;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="m-3 flex items-center gap-2 rounded-lg px-2.5 py-2 text-left hover:bg-sunk">
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{where === undefined ? "…" : <Line text={where.name} />}</span>
          <span className="block truncate text-xs text-faint">{who?.name == null ? "signed in as " : <><Line text={who.name} />, </>}{who?.role ?? "…"}</span>
        </span>
        <Icon name="more" />
      </DropdownMenu.Trigger>
      <Menu pages={[]} />
    </DropdownMenu.Root>
  );
}

function Menu({ pages, hasSpaces = false }: { pages: readonly Page[]; hasSpaces?: boolean }) {
  const item = "flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2.5 md:py-1.5 outline-none data-[highlighted]:bg-sunk";
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content side="top" align="end" sideOffset={6} className="z-50 max-h-[85dvh] min-w-48 overflow-y-auto rounded-xl border border-edge bg-card p-1 shadow-lg">
        <OrgChoices />
        {hasSpaces && <SpaceChoices />}
        {pages.map((page) => (
          <DropdownMenu.Item key={page.path} asChild className={item}>
            <Link to={page.path}><Icon name={page.icon} />{page.name}</Link>
          </DropdownMenu.Item>
        ))}
        <DropdownMenu.Item className={item} onSelect={() => choose(isDark() ? "light" : "dark")}>
          <Icon name={isDark() ? "sun" : "moon"} />{isDark() ? "Light colours" : "Dark colours"}
        </DropdownMenu.Item>
        <DropdownMenu.Item className={item} onSelect={() => choose("system")}><Icon name="settings" />Colours of the system</DropdownMenu.Item>
        <DropdownMenu.Item className={item} onSelect={() => void signOut()}><Icon name="back" />Sign out</DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  );
}

function Silence() {
  const since = useSilentSince();
  return since === null ? null : <Old since={since} />;
}

function Old({ since }: { since: number }) {
  const now = useNow();
  return (
    <p role="status" className="bg-warn-wash px-4 py-1.5 text-center text-warn">
      The gateway has not answered for {span((now - since) / 1_000)}. What you see may be old.
    </p>
  );
}
