// Connects and disconnects an integration, for admins.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { catalogChanged, type Source } from "./queries";

export function IntegrationActions({ source }: { source: Source }) {
  const [isDisconnecting, setDisconnecting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const cut = async () => {
    try {
      await take(api.DELETE("/v1/connections/{provider}", { params: { path: { provider: source.source } } }));
      await catalogChanged();
      notify("good", "Disconnected", "The token is deleted.");
      setDisconnecting(false);
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <div className="flex gap-2 max-md:w-full max-md:[&>*]:flex-1">
      <Link
        to="/catalog/connect"
        hash={source.source}
        className={`inline-flex min-h-11 items-center justify-center rounded-lg border border-strong bg-card px-3.5
          font-medium hover:bg-sunk md:min-h-9`}
      >
        {source.connected ? "Replace token" : "Connect"}
      </Link>
      {source.connected && (
        <Button variant="bad" onClick={() => setDisconnecting(true)}>
          {" "}
          Disconnect{" "}
        </Button>
      )}
      <Dialog title="Disconnect this integration?" isOpen={isDisconnecting} onClose={() => setDisconnecting(false)}>
        <div className="space-y-4">
          <p>The token is deleted. Its actions fail until you connect it again, in automations too.</p>
          {error !== null && <ProblemCard error={error} />}
          <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
            <Button variant="bad" onClick={() => void cut()}>
              {" "}
              Disconnect{" "}
            </Button>
            <Button variant="quiet" onClick={() => setDisconnecting(false)}>
              Cancel
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}
