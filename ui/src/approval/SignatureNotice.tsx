// Says that an approval must be signed with a passkey, and what prevents it.
import { Link } from "@tanstack/react-router";
import { passkeyProblem } from "../passkeys/ceremony";
import { useOwnPasskeys } from "../passkeys/queries";
import { Line } from "../text/Visible";

/** `onLeave` closes the open dialog when the person goes to the settings. */
export function SignatureNotice({ onLeave }: { onLeave?: () => void }) {
  const own = useOwnPasskeys();
  const problem = passkeyProblem()?.problem;
  if (own === "waiting") {
    return (
      <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
        This approval must be signed with a passkey, and yours waits for another approver.{" "}
        <Link to="/settings/$part" params={{ part: "passkeys" }} onClick={onLeave} className="font-medium underline">
          See what to do
        </Link>
        . Denying needs no passkey.
      </p>
    );
  }
  if (own === "none") {
    return (
      <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
        This approval must be signed with a passkey, and you have none.{" "}
        <Link to="/settings/$part" params={{ part: "passkeys" }} onClick={onLeave} className="font-medium underline">
          Add a passkey in the settings
        </Link>
        . Denying needs no passkey.
      </p>
    );
  }
  if (problem !== undefined) {
    return (
      <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
        This approval must be signed with a passkey. <Line text={problem.title} />: <Line text={problem.hint} />.
        Denying needs no passkey.
      </p>
    );
  }
  if (onLeave !== undefined) return <p className="text-soft">Your device will ask you to sign with your passkey.</p>;
  return (
    <p className="rounded-xl bg-accent-wash px-4 py-3 text-accent">
      You sign this approval with your passkey, over exactly what is shown here. Denying needs no passkey.
    </p>
  );
}
