// Connects to the server and shows the tools found, or the problem.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, take } from "../../api/client";
import { Line } from "../../text/Visible";
import { ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Icon } from "../../ui/icons";
import { type Connector, catalogChanged, connector } from "../queries";
import { type Authentication, advice, authOf, isWebAddress, type ServerAddress } from "./connect";
import { Buttons } from "./SetupSteps";

interface Props {
  address: ServerAddress;
  authentication: Authentication;
  connector: Connector | null;
  onConnected: (now: Connector) => void;
  onBack: (to: "address" | "authentication") => void;
  onNext: () => void;
}

export function CheckStep({ address, authentication, connector, onConnected, onBack, onNext }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(true);
  const hasStarted = useRef(false);
  const check = async () => {
    setBusy(true);
    setError(null);
    const base = address.base_url === "" ? {} : { base_url: address.base_url };
    try {
      const body = { place: address.place, auth: authOf(authentication), ...base };
      onConnected(
        connector === null
          ? await take(api.POST("/v1/connectors", { body: { ...body, source: address.source, kind: address.kind } }))
          : await take(
              api.PATCH("/v1/connectors/{connector}", { params: { path: { connector: address.source } }, body }),
            ),
      );
      await catalogChanged();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void check();
  });
  if (isBusy)
    return (
      <p role="status" className="animate-pulse rounded-xl border border-edge bg-card p-6 text-center text-soft">
        Loading the tools of <Line text={address.place} /> …
      </p>
    );
  if (error !== null || connector === null) {
    return (
      <>
        <ProblemCard error={error} />
        <Buttons>
          <Button variant="primary" onClick={() => onBack("address")}>
            {" "}
            Edit address{" "}
          </Button>
          <Button onClick={() => void check()}>Try again</Button>
        </Buttons>
      </>
    );
  }
  if (connector.problem != null) {
    return (
      <div className="space-y-4">
        <div role="alert" className="flex gap-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          <Icon name="warning" className="mt-0.5 size-4" />
          <div className="min-w-0">
            <p className="font-semibold">Connected, but the server did not respond</p>
            <p>
              <Line text={connector.problem} />
            </p>
            <p className="mt-1">{advice(authentication)}</p>
          </div>
        </div>
        {authentication.method === "oauth" && <Authorize source={address.source} onAnswer={onConnected} />}
        <Buttons>
          <Button variant={authentication.method === "oauth" ? "plain" : "primary"} onClick={() => void check()}>
            Try again
          </Button>
          <Button onClick={() => onBack("address")}>Edit address</Button>
          <Button onClick={() => onBack("authentication")}>Edit authentication</Button>
        </Buttons>
      </div>
    );
  }
  return (
    <div className="space-y-4">
      <div role="status" className="flex gap-3 rounded-xl bg-good-wash px-4 py-3 text-good">
        <Icon name="check" className="mt-0.5 size-4" />
        <div>
          <p className="font-semibold">Connected</p>
          <p>
            {connector.server != null && (
              <>
                Server name: <Line text={connector.server} />.{" "}
              </>
            )}
            {connector.tools} {connector.tools === 1 ? "tool" : "tools"} found, {connector.to_review} to review.
          </p>
        </div>
      </div>
      <Buttons>
        <Button variant="primary" onClick={onNext}>
          {connector.to_review > 0 ? "Review tools" : "Continue"}
        </Button>
      </Buttons>
    </div>
  );
}

/** Links to the authorization page of the server and waits for the result. */
function Authorize({ source, onAnswer }: { source: string; onAnswer: (now: Connector) => void }) {
  const [address, setAddress] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { data } = useQuery({ ...connector(source), enabled: address !== null, refetchInterval: 2_000 });
  const now = data?.connector;
  useEffect(() => {
    if (now !== undefined && now.problem == null) onAnswer(now);
  });
  const begin = async () => {
    setError(null);
    try {
      const { authorize_url } = await take(
        api.POST("/v1/connectors/{connector}/authorize", { params: { path: { connector: source } } }),
      );
      setAddress(authorize_url);
    } catch (caught) {
      setError(caught);
    }
  };
  if (address === null) {
    return (
      <>
        {error !== null && <ProblemCard error={error} />}
        <Button variant="primary" onClick={() => void begin()}>
          {" "}
          Authorize{" "}
        </Button>
      </>
    );
  }
  if (!isWebAddress(address))
    return (
      <p role="alert" className="text-bad">
        The server returned an invalid authorization URL: <Line text={address} />
      </p>
    );
  return (
    <div className="space-y-2 rounded-xl border border-edge bg-card p-4">
      <p>Open the authorization page, approve access there, and return here. The link works once, for ten minutes.</p>
      <p>
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          className="font-medium text-accent underline wrap-anywhere"
        >
          Open {new URL(address).host} in a new tab
        </a>
      </p>
      <p role="status" className="animate-pulse text-xs text-faint">
        Waiting for authorization …
      </p>
    </div>
  );
}
