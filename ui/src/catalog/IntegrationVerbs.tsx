// What admins do with an integration: give it a token, another one, or none any more.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { catalogChanged, type Source } from "./queries";

export function IntegrationVerbs({ source }: { source: Source }) {
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const cut = async () => {
    try {
      await take(api.DELETE("/v1/connections/{provider}", { params: { path: { provider: source.source } } }));
      await catalogChanged();
      notify("good", "Cut", "Its token is forgotten.");
      setAsked(false);
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <div className="flex gap-2 max-md:w-full max-md:[&>*]:flex-1">
      <Link to="/catalog/connect" hash={source.source} className="inline-flex min-h-11 items-center justify-center rounded-lg border border-strong bg-card px-3.5 font-medium hover:bg-sunk md:min-h-9">
        {source.connected ? "Replace its token" : "Connect it"}
      </Link>
      {source.connected && <Button look="bad" onClick={() => setAsked(true)}>Cut</Button>}
      <Dialog title="Cut this connection?" isOpen={isAsked} onClose={() => setAsked(false)}>
        <div className="space-y-4">
          <p>Its token is forgotten. Every call of its actions fails until it is connected again; automations that use it fail too.</p>
          {error !== null && <ProblemCard error={error} />}
          <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
            <Button look="bad" onClick={() => void cut()}>Cut it</Button>
            <Button look="quiet" onClick={() => setAsked(false)}>Back</Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}
