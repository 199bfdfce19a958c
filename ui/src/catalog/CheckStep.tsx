// The live check: the server is asked for its tools at once. What it says, or why it could not be asked, stands here.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, take } from "../api/client";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { advice, authOf, type How, isWebAddress, type Where } from "./connect";
import { Buttons } from "./FirstSteps";
import { catalogChanged, type Connector, connector } from "./queries";

interface Props {
  where: Where;
  how: How;
  made: Connector | null;
  onMade: (now: Connector) => void;
  onBack: (to: "where" | "how") => void;
  onNext: () => void;
}

export function CheckStep({ where, how, made, onMade, onBack, onNext }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(true);
  const begun = useRef(false);
  const check = async () => {
    setBusy(true);
    setError(null);
    const base = where.base_url === "" ? {} : { base_url: where.base_url };
    try {
      const body = { place: where.place, auth: authOf(how), ...base };
      onMade(made === null
        ? await take(api.POST("/v1/connectors", { body: { ...body, source: where.source, kind: where.kind } }))
        : await take(api.PATCH("/v1/connectors/{connector}", { params: { path: { connector: where.source } }, body })));
      await catalogChanged();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void check();
  });
  if (isBusy) return <p role="status" className="animate-pulse rounded-xl border border-edge bg-card p-6 text-center text-soft">Asking <Line text={where.place} /> for its tools …</p>;
  if (error !== null || made === null) {
    return (
      <>
        <ProblemCard error={error} />
        <Buttons><Button look="primary" onClick={() => onBack("where")}>Correct it</Button><Button onClick={() => void check()}>Try again</Button></Buttons>
      </>
    );
  }
  if (made.problem != null) {
    return (
      <div className="space-y-4">
        <div role="alert" className="flex gap-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          <Icon name="warning" className="mt-0.5 size-4" />
          <div className="min-w-0">
            <p className="font-semibold">It is connected, but it could not be asked</p>
            <p><Line text={made.problem} /></p>
            <p className="mt-1">{advice(made.problem, how)}</p>
          </div>
        </div>
        {how.proof === "oauth" && <Authorize source={where.source} onAnswer={onMade} />}
        <Buttons>
          <Button look={how.proof === "oauth" ? "plain" : "primary"} onClick={() => void check()}>Try again</Button>
          <Button onClick={() => onBack("where")}>Correct the address</Button>
          <Button onClick={() => onBack("how")}>Correct the proof</Button>
        </Buttons>
      </div>
    );
  }
  return (
    <div className="space-y-4">
      <div role="status" className="flex gap-3 rounded-xl bg-good-wash px-4 py-3 text-good">
        <Icon name="check" className="mt-0.5 size-4" />
        <div>
          <p className="font-semibold">It answers</p>
          <p>{made.server != null && <>It calls itself <Line text={made.server} />. </>}It lists {made.tools} {made.tools === 1 ? "tool" : "tools"}; {made.to_review} wait for your review.</p>
        </div>
      </div>
      <Buttons><Button look="primary" onClick={onNext}>{made.to_review > 0 ? "Review the tools" : "Go on"}</Button></Buttons>
    </div>
  );
}

/** Sends the person to the server's own page, and waits until they come back. */
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
      const { authorize_url } = await take(api.POST("/v1/connectors/{connector}/authorize", { params: { path: { connector: source } } }));
      setAddress(authorize_url);
    } catch (refused) {
      setError(refused);
    }
  };
  if (address === null) {
    return (
      <>
        {error !== null && <ProblemCard error={error} />}
        <Button look="primary" onClick={() => void begin()}>Authorize it</Button>
      </>
    );
  }
  if (!isWebAddress(address)) return <p role="alert" className="text-bad">What it gave as the address of its page is none: <Line text={address} /></p>;
  return (
    <div className="space-y-2 rounded-xl border border-edge bg-card p-4">
      <p>Open its page, say yes there, and come back here. The way is open for ten minutes, once.</p>
      <p><a href={address} target="_blank" rel="noopener noreferrer" className="font-medium text-accent underline wrap-anywhere">Open {new URL(address).host} in a new tab</a></p>
      <p role="status" className="animate-pulse text-xs text-faint">Waiting for your yes …</p>
    </div>
  );
}
