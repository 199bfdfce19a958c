// Which address shows which page. The inbox comes with the first load; the other pages are fetched when they are opened.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Boundary, NotFound } from "./frame/Boundary";
import { Frame } from "./frame/Frame";
import { InboxPage } from "./inbox/InboxPage";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: Boundary });
const at = <P extends string>(path: P) => ({ getParentRoute: () => root, path });

const home = createRoute({
  ...at("/"),
  beforeLoad: () => {
    throw redirect({ to: "/inbox", replace: true });
  },
});
const inbox = createRoute({ ...at("/inbox"), component: InboxPage });
const item = createRoute({ getParentRoute: () => inbox, path: "$key" });
const automations = createRoute({
  ...at("/automations"),
  component: lazyRouteComponent(() => import("./automations/AutomationsPage"), "AutomationsPage"),
});
const runs = createRoute({ ...at("/runs"), component: lazyRouteComponent(() => import("./runs/RunsPage"), "RunsPage") });
const run = createRoute({ ...at("/runs/$run"), component: lazyRouteComponent(() => import("./runs/RunPage"), "RunPage") });

const later = () => lazyRouteComponent(() => import("./frame/Later"), "Later");
const activity = createRoute({ ...at("/activity"), component: later() });
const catalog = createRoute({ ...at("/catalog"), component: later() });
const policy = createRoute({ ...at("/policy"), component: later() });
const overview = createRoute({ ...at("/overview"), component: later() });
const settings = createRoute({ ...at("/settings"), component: later() });

export const router = createRouter({
  routeTree: root.addChildren([
    home, inbox.addChildren([item]), automations, runs, run, activity, catalog, policy, overview, settings,
  ]),
  defaultErrorComponent: Boundary,
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
