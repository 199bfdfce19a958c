// Details and actions of a connected server, for admins.
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { api, Proposed, take } from "../api/client";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Fact, Facts } from "../ui/Section";
import { AddressFields, AuthenticationFields, saveSecret } from "./connect/ConnectFields";
import { addressError, authenticationError, authenticationOf, authOf, type ServerAddress } from "./connect/connect";
import { type Connector, catalogChanged } from "./queries";

export function ConnectorFacts({ connector }: { connector: Connector }) {
  const now = useNow();
  const { auth } = connector;
  return (
    <Facts>
      <Fact name={connector.kind === "stdio" ? "Command" : "URL"}>
        <code className="font-mono text-[0.8125rem] wrap-anywhere">
          <Line text={connector.place} />
        </code>
      </Fact>
      {connector.base_url != null && (
        <Fact name="Base URL">
          <code className="font-mono text-[0.8125rem] wrap-anywhere">
            <Line text={connector.base_url} />
          </code>
        </Fact>
      )}
      {connector.server != null && (
        <Fact name="Server name">
          <Line text={connector.server} />
        </Fact>
      )}
      <Fact name="Authentication">
        {auth.kind === "none" ? (
          "none"
        ) : (
          <>
            {auth.kind}, from secret{" "}
            <code className="font-mono text-[0.8125rem]">
              <Line text={auth.secret} />
            </code>
          </>
        )}
      </Fact>
      <Fact name="Last refresh">
        {connector.last_harvested_at == null ? "never" : ago(connector.last_harvested_at, now)}
        {!connector.enabled && " (disabled)"}
      </Fact>
    </Facts>
  );
}

export function ConnectorActions({ connector }: { connector: Connector }) {
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<"change" | "remove" | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const path = { connector: connector.source };
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
      await catalogChanged();
    } catch (caught) {
      if (!(caught instanceof Proposed)) setError(caught);
    } finally {
      setBusy(false);
    }
  };
  const harvest = () =>
    attempt(async () => {
      const { connector: now, news } = await take(api.POST("/v1/connectors/{connector}/harvest", { params: { path } }));
      if (now.problem != null) notify("warn", "Refresh failed", <Line text={now.problem} />);
      else
        notify(
          "good",
          "Refreshed",
          news.length === 0
            ? "No changes."
            : news.map((each, index) => (
                <span key={each.tool}>
                  {index > 0 && ", "}
                  <Line text={`${each.tool}: ${each.what}`} />
                </span>
              )),
        );
    });
  const enable = (enabled: boolean) =>
    attempt(async () => {
      await take(api.PATCH("/v1/connectors/{connector}", { params: { path }, body: { enabled } }));
      notify(
        "good",
        enabled ? "Enabled" : "Disabled",
        enabled ? "Its actions are available again." : "Its actions are no longer available.",
      );
    });
  const remove = () =>
    attempt(async () => {
      await take(api.DELETE("/v1/connectors/{connector}", { params: { path } }));
      notify("good", "Deleted", "Its tools and reviews are deleted. Receipts are kept.");
      void navigate({ to: "/catalog" });
    });
  return (
    <div className="flex gap-2 max-md:grid max-md:w-full max-md:grid-cols-2">
      <Button disabled={isBusy} onClick={() => void harvest()}>
        {" "}
        Refresh tools{" "}
      </Button>
      <Button disabled={isBusy} onClick={() => setOpenDialog("change")}>
        {" "}
        Edit{" "}
      </Button>
      <Button disabled={isBusy} onClick={() => void enable(!connector.enabled)}>
        {connector.enabled ? "Disable" : "Enable"}
      </Button>
      <Button variant="bad" disabled={isBusy} onClick={() => setOpenDialog("remove")}>
        {" "}
        Delete{" "}
      </Button>
      {error !== null && (
        <Dialog title="Request failed" isOpen onClose={() => setError(null)}>
          <ProblemCard error={error} />
        </Dialog>
      )}
      {openDialog === "remove" && (
        <Dialog title="Delete this source?" isOpen onClose={() => setOpenDialog(null)}>
          <p className="mb-4">
            Its actions are no longer available to agents and automations, and its reviews are deleted. Rules and
            receipts are kept.
          </p>
          <div className="flex flex-row-reverse gap-2">
            <Button
              variant="bad"
              disabled={isBusy}
              onClick={() => {
                setOpenDialog(null);
                void remove();
              }}
            >
              {" "}
              Delete source{" "}
            </Button>
            <Button variant="quiet" onClick={() => setOpenDialog(null)}>
              Cancel
            </Button>
          </div>
        </Dialog>
      )}
      {openDialog === "change" && <EditConnector connector={connector} onClose={() => setOpenDialog(null)} />}
    </div>
  );
}

function EditConnector({ connector, onClose }: { connector: Connector; onClose: () => void }): ReactNode {
  const [address, setAddress] = useState<ServerAddress>({
    kind: connector.kind,
    source: connector.source,
    place: connector.place,
    base_url: connector.base_url ?? "",
  });
  const [authentication, setAuthentication] = useState(authenticationOf(connector.auth));
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const value = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = addressError(address) ?? authenticationError(authentication);
    setFieldError(found);
    if (found !== null) return;
    try {
      await saveSecret(authentication, value.current);
      const body = {
        place: address.place,
        auth: authOf(authentication),
        ...(address.base_url === "" ? {} : { base_url: address.base_url }),
      };
      const now = await take(
        api.PATCH("/v1/connectors/{connector}", { params: { path: { connector: connector.source } }, body }),
      );
      await catalogChanged();
      if (now.problem == null) notify("good", "Saved", `The server responds and lists ${now.tools} tools.`);
      else notify("warn", "Saved, but the server did not respond", <Line text={now.problem} />);
      onClose();
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <Dialog
      title="Edit source"
      description="The tools are refreshed immediately. The name cannot change."
      isOpen
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <AddressFields address={address} onChange={setAddress} />
        <AuthenticationFields
          authentication={authentication}
          kind={address.kind}
          value={value}
          onChange={setAuthentication}
        />
        {fieldError !== null && (
          <p role="alert" className="text-bad">
            {fieldError}
          </p>
        )}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" variant="primary">
            {" "}
            Save{" "}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
