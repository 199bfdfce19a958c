// The routes. The inbox is in the first load; other pages are loaded when opened.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readChangeFilters } from "./activity/changes/filters";
import { readFilters } from "./activity/filters";
import "./frame/arrival";
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

const join = createRoute({
  ...at("/join"),
  component: lazyRouteComponent(() => import("./join/JoinPage"), "JoinPage"),
});

const activity = createRoute({
  ...at("/activity"),
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import("./activity/ActivityPage"), "ActivityPage"),
});
const invocation = createRoute({
  ...at("/activity/$invocation"),
  component: lazyRouteComponent(() => import("./activity/InvocationPage"), "InvocationPage"),
});

const changes = createRoute({
  ...at("/activity/changes"),
  validateSearch: readChangeFilters,
  component: lazyRouteComponent(() => import("./activity/changes/ChangesPage"), "ChangesPage"),
});
const change = createRoute({
  ...at("/activity/changes/$change"),
  component: lazyRouteComponent(() => import("./activity/changes/ChangePage"), "ChangePage"),
});

const agents = createRoute({
  ...at("/agents"),
  component: lazyRouteComponent(() => import("./agents/AgentsPage"), "AgentsPage"),
});
const agent = createRoute({
  ...at("/agents/$agent"),
  component: lazyRouteComponent(() => import("./agents/AgentPage"), "AgentPage"),
});

const catalog = createRoute({
  ...at("/catalog"),
  component: lazyRouteComponent(() => import("./catalog/CatalogPage"), "CatalogPage"),
});
const connect = createRoute({
  ...at("/catalog/connect"),
  component: lazyRouteComponent(() => import("./catalog/connect/ConnectPage"), "ConnectPage"),
});
const connected = createRoute({
  ...at("/connect"),
  component: lazyRouteComponent(() => import("./catalog/connect/FinishPage"), "FinishPage"),
});
const source = createRoute({
  ...at("/catalog/$source"),
  component: lazyRouteComponent(() => import("./catalog/SourcePage"), "SourcePage"),
});

const models = createRoute({
  ...at("/models"),
  component: lazyRouteComponent(() => import("./models/ModelsPage"), "ModelsPage"),
});
const addModels = createRoute({
  ...at("/models/add"),
  component: lazyRouteComponent(() => import("./models/AddPage"), "AddPage"),
});

const policy = createRoute({
  ...at("/policy"),
  component: lazyRouteComponent(() => import("./policy/PolicyPage"), "PolicyPage"),
});

const newPolicy = createRoute({
  ...at("/policy/new"),
  component: lazyRouteComponent(() => import("./policies/editor/EditorPage"), "NewPolicyPage"),
});
const policyText = createRoute({
  ...at("/policy/policies/$policy"),
  component: lazyRouteComponent(() => import("./policies/editor/EditorPage"), "PolicyTextPage"),
});
const starters = createRoute({
  ...at("/policy/starters"),
  component: lazyRouteComponent(() => import("./policies/starters/StartersPage"), "StartersPage"),
});
const starter = createRoute({
  ...at("/policy/starters/$starter"),
  component: lazyRouteComponent(() => import("./policies/starters/StartersPage"), "StarterPage"),
});

const automations = createRoute({
  ...at("/automations"),
  component: lazyRouteComponent(() => import("./automations/AutomationsPage"), "AutomationsPage"),
});
const newAutomation = createRoute({
  ...at("/automations/new"),
  // The automation to copy.
  validateSearch: (search): { from?: string } => (typeof search.from === "string" ? { from: search.from } : {}),
  component: lazyRouteComponent(() => import("./automations/NewPage"), "NewPage"),
});
const automation = createRoute({
  ...at("/automations/$automation"),
  component: lazyRouteComponent(() => import("./automations/detail/AutomationPage"), "AutomationPage"),
});
const editAutomation = createRoute({
  ...at("/automations/$automation/edit"),
  component: lazyRouteComponent(() => import("./automations/EditPage"), "EditPage"),
});

const runs = createRoute({
  ...at("/runs"),
  validateSearch: (search): { automation?: string; status?: string } => ({
    ...(typeof search.automation === "string" ? { automation: search.automation } : {}),
    ...(typeof search.status === "string" ? { status: search.status } : {}),
  }),
  component: lazyRouteComponent(() => import("./runs/RunsPage"), "RunsPage"),
});
const run = createRoute({
  ...at("/runs/$run"),
  component: lazyRouteComponent(() => import("./runs/RunPage"), "RunPage"),
});

const overview = createRoute({
  ...at("/overview"),
  component: lazyRouteComponent(() => import("./overview/OverviewPage"), "OverviewPage"),
});
const settings = createRoute({
  ...at("/settings"),
  component: lazyRouteComponent(() => import("./settings/SettingsPage"), "SettingsPage"),
});
const setting = createRoute({
  ...at("/settings/$part"),
  component: lazyRouteComponent(() => import("./settings/SettingsPage"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox.addChildren([item]),
    join,
    activity,
    invocation,
    changes,
    change,
    agents,
    agent,
    catalog,
    connect,
    connected,
    source,
    models,
    addModels,
    policy,
    newPolicy,
    policyText,
    starters,
    starter,
    automations,
    newAutomation,
    automation,
    editAutomation,
    runs,
    run,
    overview,
    settings,
    setting,
  ]),
  defaultErrorComponent: Boundary,
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
