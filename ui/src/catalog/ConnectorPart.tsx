// What only admins see of a connected server: where it is, when it was asked, and what can be done with it.
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { Fact, Facts } from "../inbox/Section";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { authOf, howOf, type Where, wrongHow, wrongWhere } from "./connect";
import { HowFields, keepSecret, PlaceFields } from "./ConnectFields";
import { catalogChanged, type Connector } from "./queries";

export function ConnectorFacts({ connector }: { connector: Connector }) {
  const now = useNow();
  const { auth } = connector;
  return (
    <Facts>
      <Fact name={connector.kind === "stdio" ? "command" : "address"}><code className="font-mono text-[0.8125rem] wrap-anywhere"><Line text={connector.place} /></code></Fact>
      {connector.base_url != null && <Fact name="called at"><code className="font-mono text-[0.8125rem] wrap-anywhere"><Line text={connector.base_url} /></code></Fact>}
      {connector.server != null && <Fact name="calls itself"><Line text={connector.server} /></Fact>}
      <Fact name="credential">{auth.kind === "none" ? "none" : <>{auth.kind}, from the secret <code className="font-mono text-[0.8125rem]"><Line text={auth.secret} /></code></>}</Fact>
      <Fact name="asked last">{connector.last_harvested_at == null ? "never" : ago(connector.last_harvested_at, now)}{!connector.enabled && "; it is turned off"}</Fact>
    </Facts>
  );
}

export function ConnectorVerbs({ connector }: { connector: Connector }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"change" | "remove" | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const path = { connector: connector.source };
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
      await catalogChanged();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const harvest = () => attempt(async () => {
    const { connector: now, news } = await take(api.POST("/v1/connectors/{connector}/harvest", { params: { path } }));
    if (now.problem != null) notify("warn", "It could not be asked", <Line text={now.problem} />);
    else notify("good", "Asked again", news.length === 0 ? "Nothing is new." : news.map((each, index) => <span key={each.tool}>{index > 0 && ", "}<Line text={`${each.tool}: ${each.what}`} /></span>));
  });
  const enable = (enabled: boolean) => attempt(async () => {
    await take(api.PATCH("/v1/connectors/{connector}", { params: { path }, body: { enabled } }));
    notify("good", enabled ? "Turned on" : "Turned off", enabled ? "Its actions can be asked for again." : "Its actions can no longer be asked for.");
  });
  const remove = () => attempt(async () => {
    await take(api.DELETE("/v1/connectors/{connector}", { params: { path } }));
    notify("good", "Removed", "Its tools and their reviews are gone; receipts stay.");
    void navigate({ to: "/catalog" });
  });
  return (
    <div className="flex gap-2 max-md:grid max-md:w-full max-md:grid-cols-2">
      <Button disabled={isBusy} onClick={() => void harvest()}>Ask again</Button>
      <Button disabled={isBusy} onClick={() => setAsked("change")}>Change</Button>
      <Button disabled={isBusy} onClick={() => void enable(!connector.enabled)}>{connector.enabled ? "Turn off" : "Turn on"}</Button>
      <Button look="bad" disabled={isBusy} onClick={() => setAsked("remove")}>Remove</Button>
      {error !== null && <Dialog title="It was refused" isOpen onClose={() => setError(null)}><ProblemCard error={error} /></Dialog>}
      {asked === "remove" && (
        <Dialog title="Remove this source?" isOpen onClose={() => setAsked(null)}>
          <p className="mb-4">Its actions disappear for every agent and automation, and its reviews are forgotten. Rules and receipts stay.</p>
          <div className="flex flex-row-reverse gap-2">
            <Button look="bad" disabled={isBusy} onClick={() => { setAsked(null); void remove(); }}>Remove it</Button>
            <Button look="quiet" onClick={() => setAsked(null)}>Back</Button>
          </div>
        </Dialog>
      )}
      {asked === "change" && <Change connector={connector} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** Another address or credential; the server is asked at once. */
function Change({ connector, onClose }: { connector: Connector; onClose: () => void }): ReactNode {
  const [where, setWhere] = useState<Where>({ kind: connector.kind, source: connector.source, place: connector.place, base_url: connector.base_url ?? "" });
  const [how, setHow] = useState(howOf(connector.auth));
  const [wrong, setWrong] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const value = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = wrongWhere(where) ?? wrongHow(how);
    setWrong(found);
    if (found !== null) return;
    try {
      await keepSecret(how, value.current);
      const body = { place: where.place, auth: authOf(how), ...(where.base_url === "" ? {} : { base_url: where.base_url }) };
      const now = await take(api.PATCH("/v1/connectors/{connector}", { params: { path: { connector: connector.source } }, body }));
      await catalogChanged();
      if (now.problem == null) notify("good", "Changed", `It answers, and lists ${now.tools} tools.`);
      else notify("warn", "Changed, but it could not be asked", <Line text={now.problem} />);
      onClose();
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <Dialog title="Change this source" about="Its name stays. It is asked for its tools at once." isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <PlaceFields where={where} onChange={setWhere} />
        <HowFields how={how} kind={where.kind} value={value} onChange={setHow} />
        {wrong !== null && <p role="alert" className="text-bad">{wrong}</p>}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" look="primary">Keep this</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </form>
    </Dialog>
  );
}
