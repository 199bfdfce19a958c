// One provider: its state, what is known about it, its models, and what can be done with it.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { attempt } from "../frame/attempt";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { Fact } from "../ui/Section";
import { EditProvider } from "./EditProvider";
import { ModelTable } from "./ModelTable";
import { type Provider, putProvider, removeProvider, testProvider } from "./queries";
import { stateOf, wireText } from "./words";

export function ProviderCard({ provider }: { provider: Provider }) {
  const state = stateOf(provider);
  return (
    <li className="overflow-hidden rounded-xl border border-edge bg-card">
      <div className="flex flex-wrap items-start gap-3 p-4">
        <div className="min-w-48 flex-1 space-y-0.5">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
            <Line text={provider.provider} />
            <Badge tone={state.tone}>{state.name}</Badge>
          </h2>
          <p className="font-mono text-[0.8125rem] text-faint wrap-anywhere">
            <Line text={provider.action} />
          </p>
          <p className="text-soft wrap-anywhere">
            <Line text={state.text} />
          </p>
        </div>
        <ProviderActions provider={provider} />
      </div>
      <ProviderFacts provider={provider} />
      <ModelTable provider={provider} />
    </li>
  );
}

function ProviderFacts({ provider }: { provider: Provider }) {
  const now = useNow();
  const { auth, tested } = provider;
  return (
    <dl className="divide-y divide-edge border-t border-edge">
      <Fact name="URL">
        <code className="font-mono text-[0.8125rem] wrap-anywhere">
          <Line text={provider.base_url} />
        </code>{" "}
        <span className="text-faint">({wireText(provider.wire)})</span>
      </Fact>
      <Fact name="Authentication">
        {auth.kind === "none" ? (
          "none"
        ) : (
          <>
            {auth.kind === "header" ? <Line text={`header ${auth.header}`} /> : auth.kind}, from secret{" "}
            <code className="font-mono text-[0.8125rem]">
              <Line text={auth.secret} />
            </code>
          </>
        )}
      </Fact>
      <Fact name="May see">
        {provider.may_see_private ? (
          <span className="text-warn">public data, and data that is not public</span>
        ) : (
          "public data only"
        )}
      </Fact>
      <Fact name="Last tested">
        {tested == null ? (
          "never"
        ) : (
          <>
            <time dateTime={tested.at} title={moment(tested.at)}>
              {ago(tested.at, now)}
            </time>
            , with{" "}
            <code className="font-mono text-[0.8125rem]">
              <Line text={tested.model} />
            </code>
          </>
        )}
      </Fact>
    </dl>
  );
}

function ProviderActions({ provider }: { provider: Provider }) {
  const [openDialog, setOpenDialog] = useState<"edit" | "remove" | null>(null);
  const [busy, setBusy] = useState<"test" | "switch" | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const name = plain(provider.provider);
  const act = async (what: "test" | "switch", send: () => Promise<Provider>, past: string) => {
    setBusy(what);
    setDone(null);
    await attempt(async () => setDone(`${past}: ${stateOf(await send()).name}`));
    setBusy(null);
  };
  const isBusy = busy !== null;
  const label = (verb: string) => (
    <>
      {verb}
      <span className="sr-only"> {name}</span>
    </>
  );
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:grid max-md:w-full max-md:grid-cols-2">
      <span role="status" className="text-xs text-faint empty:absolute max-md:col-span-2">
        {done}
      </span>
      <Button
        disabled={isBusy || !provider.enabled}
        onClick={() => void act("test", () => testProvider(provider.provider), "Tested")}
      >
        {label(busy === "test" ? "Testing …" : "Test")}
      </Button>
      <Button disabled={isBusy} onClick={() => setOpenDialog("edit")}>
        {label("Edit")}
      </Button>
      <Button
        disabled={isBusy}
        onClick={() =>
          void act("switch", () => putProvider(provider.provider, { enabled: !provider.enabled }), "Saved")
        }
      >
        {label(provider.enabled ? "Disable" : "Enable")}
      </Button>
      <Button variant="bad" disabled={isBusy} onClick={() => setOpenDialog("remove")}>
        {label("Remove")}
      </Button>
      {openDialog === "edit" && (
        <EditProvider
          provider={provider}
          onSaved={(now) => setDone(`Saved: ${stateOf(now).name}`)}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === "remove" && <RemoveProvider provider={provider} onClose={() => setOpenDialog(null)} />}
    </div>
  );
}

function RemoveProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => removeProvider(provider.provider),
    onSuccess: () => {
      notify(
        "good",
        "Removed",
        <>
          Steps can no longer ask <Line text={provider.action} />.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Remove this provider?"
      description={<Line text={provider.provider} />}
      submitLabel="Remove provider"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Steps that ask its models fail from then on. Its secret, rules and receipts are kept.</p>
    </FormDialog>
  );
}
