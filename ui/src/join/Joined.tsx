// After joining: the first token, shown once, and a first passkey.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../api/client";
import { AddPasskey } from "../passkeys/AddPasskey";
import { passkeyProblem } from "../passkeys/ceremony";
import { useOwnPasskeys } from "../passkeys/queries";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { SecretField, useSecret } from "../ui/Secret";

export interface JoinedPerson {
  person: Schemas["MeView"];
  token: string;
  /** Whether they were no member before. */
  isNew: boolean;
}

export function Joined({ joined: { person, token, isNew } }: { joined: JoinedPerson }) {
  const navigate = useNavigate();
  const secret = useSecret(token);
  return (
    <>
      <div role="status" className="flex gap-2.5">
        <span className="mt-0.5 text-good">
          <Icon name="check" className="size-5" />
        </span>
        <h2 className="min-w-0 text-base font-semibold wrap-anywhere">
          {isNew ? "You joined " : "You are signed in to "}
          <Line text={person.org_name ?? ""} />
        </h2>
      </div>
      <section aria-labelledby="first-token" className="space-y-2">
        <h3 id="first-token" className="font-medium">
          Your token
        </h3>
        <p className="text-soft">
          You sign in with this token, also on other devices and in the CLI. It is shown only once and ends in 90 days.
          Save it in your password manager.
        </p>
        <SecretField secret={secret} label="Your token, shown once" before="you go on" />
        <Button variant={secret.isStored ? "plain" : "primary"} className="w-full" onClick={() => void secret.copy()}>
          {secret.isStored ? "Copied" : "Copy"}
        </Button>
      </section>
      <FirstPasskey />
      <Button
        variant={secret.isStored ? "primary" : "plain"}
        className="w-full"
        onClick={() => secret.mayLeave() && void navigate({ to: "/inbox" })}
      >
        Go to the inbox
      </Button>
    </>
  );
}

function FirstPasskey() {
  const own = useOwnPasskeys();
  const problem = passkeyProblem()?.problem;
  const [isAdding, setAdding] = useState(false);
  return (
    <section aria-labelledby="first-passkey" className="space-y-2">
      <h3 id="first-passkey" className="font-medium">
        Your passkey
      </h3>
      {own === "usable" ? (
        <p className="text-good">You have a passkey to sign with.</p>
      ) : own === "waiting" ? (
        <p className="text-soft">Your passkey waits for another approver. Ask another admin or owner to confirm it.</p>
      ) : (
        <>
          <p className="text-soft">
            You sign approvals with a passkey on this device. In the first 30 minutes after joining, nobody else has to
            confirm it.
          </p>
          {problem !== undefined && (
            <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
              <Line text={problem.title} />: <Line text={problem.hint} />.
            </p>
          )}
          <Button className="w-full" disabled={problem !== undefined} onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        </>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </section>
  );
}
