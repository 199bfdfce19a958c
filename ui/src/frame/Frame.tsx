// The layout around every page: sign-in, navigation, bell, toasts and the command palette. People who join have no
// account yet, so their page stands alone.
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { DropdownMenu } from "radix-ui";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "../api/client";
import { inbox } from "../api/inbox";
import { useLive, useSilentSince } from "../api/live";
import { useMay } from "../api/permissions";
import { me, org } from "../api/queries";
import { currentState, onSignInChange, signedIn, signedOut } from "../api/signin";
import { DialogHost } from "../approval/DialogHost";
import { ConductBanner } from "../conduct/Banner";
import { ConductHost } from "../conduct/ConductHost";
import { openStop } from "../conduct/dialogs";
import { Announcement } from "../loosening/Announcement";
import { isAnswerable } from "../loosening/proposed";
import { useProposedRows } from "../loosening/queries";
import { Bell } from "../notices/Bell";
import { useNow } from "../text/now";
import { span } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { UpgradeNotice } from "../upgrade/UpgradeNotice";
import { useHotkeys } from "./hotkeys";
import { signOut } from "./orgs";
import { Palette, usePalette } from "./Palette";
import { PAGES, type Page } from "./pages";
import { SignIn } from "./SignIn";
import { OrgChoices, SpaceChoices, SpaceSwitch } from "./Switches";
import { choose, isDark } from "./theme";
import { Toasts } from "./toasts";

const ON_PHONE = ["/inbox", "/activity", "/agents", "/runs"];

export function Frame() {
  const state = useSyncExternalStore(onSignInChange, currentState);
  const isJoining = useLocation({ select: ({ pathname }) => pathname.replace(/\/+$/, "") === "/join" });
  if (isJoining)
    return (
      <>
        <Outlet />
        <Toasts />
      </>
    );
  return state === "out" ? <SignIn /> : <SignedIn />;
}

function SignedIn() {
  const { data, error, refetch } = useQuery(me);
  const isNobody = error instanceof ApiError && error.status === 401;
  const person = data === undefined ? null : `${data.org} ${data.user}`;
  const before = useRef(person);
  useEffect(() => {
    if (isNobody && currentState() === "unknown") signedOut();
    if (person === null) return;
    signedIn();
    // Another tab signed in as someone else: nothing on this page belongs to them.
    if (before.current !== null && before.current !== person) location.reload();
    before.current = person;
  }, [isNobody, person]);
  if (person !== null) return <Layout />;
  if (error === null || isNobody) return <Loading what="your account" />;
  return (
    <main className="mx-auto max-w-xl p-4 md:p-8">
      <ProblemCard error={error}>
        <div className="pt-2">
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      </ProblemCard>
    </main>
  );
}

function Layout() {
  useLive();
  const palette = usePalette();
  const navigate = useNavigate();
  useHotkeys(Object.fromEntries(PAGES.map((page) => [`g ${page.key}`, () => void navigate({ to: page.path })])));
  // On a phone an item uses the whole page, and its buttons replace the navigation.
  const isItem = useParams({ strict: false, select: (params) => "key" in params });
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-70 focus:bg-card focus:p-3">
        Skip to content
      </a>
      <Sidebar openPalette={palette.open} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <ConductBanner />
        <UpgradeNotice />
        <main id="main" className="relative flex min-h-0 flex-1 flex-col overflow-y-auto">
          {!isItem && (
            <div className="absolute top-2 right-2 z-30 md:hidden">
              <Bell side="top" />
            </div>
          )}
          <Outlet />
        </main>
      </div>
      {!isItem && <PhoneNav />}
      <Palette isOpen={palette.isOpen} onClose={palette.close} />
      <DialogHost />
      <ConductHost />
      <Announcement />
      <Toasts />
    </div>
  );
}

function useWaiting(): string | null {
  const { data } = useQuery(inbox);
  const proposed = useProposedRows().filter(isAnswerable).length;
  const count = (data?.items.length ?? 0) + proposed;
  if (data === undefined || count === 0) return null;
  return data.next_cursor === null ? String(count) : `${count}+`;
}

function Sidebar({ openPalette }: { openPalette: () => void }) {
  const waiting = useWaiting();
  return (
    <aside className="hidden w-52 shrink-0 flex-col border-r border-edge bg-card md:flex">
      <div className="flex h-14 items-center gap-2.5 px-4">
        <img src="/icon.svg" alt="" className="size-6" />
        <span className="flex-1 font-semibold">Countersign</span>
        <Bell side="right" />
      </div>
      <button
        type="button"
        onClick={openPalette}
        className={`mx-3 mb-3 flex items-center gap-2 rounded-lg border border-edge bg-page px-2.5 py-1.5 text-faint
          hover:border-strong`}
      >
        <Icon name="search" /> <span className="flex-1 text-left">Go to</span>{" "}
        <kbd className="font-sans text-xs">Ctrl K</kbd>
      </button>
      <nav aria-label="Pages" className="flex-1 space-y-0.5 px-3">
        {PAGES.map((page) => (
          <Link
            key={page.path}
            to={page.path}
            activeProps={{ className: "bg-accent-wash !text-accent font-medium" }}
            className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-soft hover:bg-sunk hover:text-ink"
          >
            <Icon name={page.icon} />
            <span className="flex-1">{page.name}</span>
            {page.path === "/inbox" && waiting !== null && <Count text={waiting} />}
          </Link>
        ))}
      </nav>
      <StopButton />
      <SpaceSwitch />
      <Person />
    </aside>
  );
}

function Count({ text }: { text: string }) {
  return (
    <span className="relative inline-block rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink">
      {text}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

function PhoneNav() {
  const waiting = useWaiting();
  const mayStop = useMay("admin") === true;
  const shown = PAGES.filter((page) => ON_PHONE.includes(page.path));
  const tab = "relative flex flex-1 flex-col items-center gap-0.5 py-2 text-[0.6875rem] text-soft";
  return (
    <nav
      aria-label="Pages"
      className="flex shrink-0 border-t border-edge bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {shown.map((page) => (
        <Link key={page.path} to={page.path} className={tab} activeProps={{ className: "!text-accent font-medium" }}>
          <span className="relative">
            <Icon name={page.icon} className="size-5" />
            {page.path === "/inbox" && waiting !== null && (
              <span className="absolute -top-1.5 left-3">
                <Count text={waiting} />
              </span>
            )}
          </span>
          {page.name}
        </Link>
      ))}
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className={tab}>
          <Icon name="more" className="size-5" />
          More
        </DropdownMenu.Trigger>
        <Menu pages={PAGES.filter((page) => !ON_PHONE.includes(page.path))} hasSpaces />
      </DropdownMenu.Root>
      {mayStop && (
        <button type="button" className={`${tab} !text-bad font-medium`} onClick={() => openStop(null)}>
          <Icon name="stop" className="size-5" />
          Stop
        </button>
      )}
    </nav>
  );
}

/** Stops anything, from any page. */
function StopButton() {
  if (useMay("admin") !== true) return null;
  return (
    <Button variant="stop" className="mx-3 mt-2" onClick={() => openStop(null)}>
      <Icon name="stop" /> Stop …
    </Button>
  );
}

function Person() {
  const user = useQuery(me).data;
  const where = useQuery({ ...org, enabled: user !== undefined }).data;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="m-3 flex items-center gap-2 rounded-lg px-2.5 py-2 text-left hover:bg-sunk">
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{where === undefined ? "…" : <Line text={where.name} />}</span>
          <span className="block truncate text-xs text-faint">
            {user?.name == null ? (
              "Signed in as "
            ) : (
              <>
                <Line text={user.name} />,{" "}
              </>
            )}
            {user?.role ?? "…"}
          </span>
        </span>
        <Icon name="more" />
      </DropdownMenu.Trigger>
      <Menu pages={[]} />
    </DropdownMenu.Root>
  );
}

function Menu({ pages, hasSpaces = false }: { pages: readonly Page[]; hasSpaces?: boolean }) {
  const item = `flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2.5 outline-none
    data-[highlighted]:bg-sunk md:py-1.5`;
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        side="top"
        align="end"
        sideOffset={6}
        className="z-50 max-h-[85dvh] min-w-48 overflow-y-auto rounded-xl border border-edge bg-card p-1 shadow-lg"
      >
        <OrgChoices />
        {hasSpaces && <SpaceChoices />}
        {pages.map((page) => (
          <DropdownMenu.Item key={page.path} asChild className={item}>
            <Link to={page.path}>
              <Icon name={page.icon} />
              {page.name}
            </Link>
          </DropdownMenu.Item>
        ))}
        <DropdownMenu.Item className={item} onSelect={() => choose(isDark() ? "light" : "dark")}>
          <Icon name={isDark() ? "sun" : "moon"} />
          {isDark() ? "Light theme" : "Dark theme"}
        </DropdownMenu.Item>
        <DropdownMenu.Item className={item} onSelect={() => choose("system")}>
          <Icon name="settings" />
          System theme
        </DropdownMenu.Item>
        <DropdownMenu.Item className={item} onSelect={() => void signOut()}>
          <Icon name="back" />
          Sign out
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  );
}

function ConnectionBanner() {
  const since = useSilentSince();
  return since === null ? null : <StaleBanner since={since} />;
}

function StaleBanner({ since }: { since: number }) {
  const now = useNow();
  return (
    <p role="status" className="bg-warn-wash px-4 py-1.5 text-center text-warn">
      No response from the gateway for {span((now - since) / 1_000)}. This page may be out of date.
    </p>
  );
}
