// Says that a yes must be signed, and what is in the way where something is.
import { Link } from "@tanstack/react-router";
import { hindrance } from "../passkeys/ceremony";
import { Line } from "../text/Visible";
import { useHasPasskey } from "./signing";

/** `onLeave` closes the question that stands before the page, where the person goes to the settings instead. */
export function MustSign({ onLeave }: { onLeave?: () => void }) {
  const hasOne = useHasPasskey(true);
  const hindered = hindrance()?.problem;
  if (hasOne === false) {
    return (
      <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
        A yes to this must be signed with a passkey, and you have none.{" "}
        <Link to="/settings/$part" params={{ part: "passkeys" }} onClick={onLeave} className="font-medium underline">Add one in the settings</Link>. A no needs none.
      </p>
    );
  }
  if (hindered !== undefined) {
    return <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">A yes to this must be signed with a passkey. <Line text={hindered.title} />: <Line text={hindered.hint} />. A no needs none.</p>;
  }
  if (onLeave !== undefined) return <p className="text-soft">Your device then asks you to sign this with your passkey.</p>;
  return <p className="rounded-xl bg-accent-wash px-4 py-3 text-accent">A yes to this is signed with your passkey, over exactly what is shown here. A no needs none.</p>;
}
