// What an invitation offers, and the form to accept it.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError, type Schemas } from "../api/client";
import { MEANING, type Role } from "../api/role";
import { ProviderLink } from "../frame/SignIn";
import { useNow } from "../text/now";
import { moment, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field } from "../ui/Form";
import { presence } from "./presence";

type Offered = Schemas["JoinView"];

interface Props {
  offer: Offered;
  /** Who is signed in in this browser. */
  signedIn: Schemas["MeView"] | undefined;
  join: (name: string) => Promise<void>;
  onIdentityNeeded: () => void;
}

export function InvitationCard({ offer, signedIn, join, onIdentityNeeded }: Props) {
  const now = useNow();
  return (
    <>
      <div className="space-y-1">
        <h2 className="text-base font-semibold wrap-anywhere">
          <Sentence offer={offer} />
        </h2>
        <p className="text-soft">
          {MEANING[offer.role as Role] && `As ${offer.role} you ${MEANING[offer.role as Role]}.`}
        </p>
        <p className="text-xs wrap-anywhere text-faint">
          For <Line text={offer.email} /> ·{" "}
          <time dateTime={offer.expires_at} title={moment(offer.expires_at)}>
            expires {untilText(offer.expires_at, now)}
          </time>
        </p>
      </div>
      <PresenceNotice offer={offer} signedIn={signedIn} />
      {offer.provider != null ? (
        <div className="space-y-2">
          <ProviderLink name={offer.provider} to="/" />
          <p className="text-xs text-faint wrap-anywhere">
            Sign in with the address <Line text={offer.email} />. That accepts the invitation.
          </p>
        </div>
      ) : (
        <JoinForm offer={offer} join={join} onIdentityNeeded={onIdentityNeeded} />
      )}
    </>
  );
}

function Sentence({ offer: { invited_by, org_name, role, is_member } }: { offer: Offered }): ReactNode {
  const org = <Line text={org_name} />;
  if (is_member)
    return (
      <>
        {invited_by == null ? "The operator" : <Line text={invited_by} />} sent you a new sign-in link for {org}
      </>
    );
  return (
    <>
      {invited_by == null ? "The operator" : <Line text={invited_by} />} invites you to {org} as {role}
    </>
  );
}

/** Says what happens to an existing sign-in in this browser. */
function PresenceNotice({ offer, signedIn }: Pick<Props, "offer" | "signedIn">) {
  const is = presence(signedIn, offer);
  if (is === "nobody" || signedIn === undefined) return null;
  return (
    <p role="status" className="rounded-lg bg-warn-wash px-3 py-2 wrap-anywhere text-warn">
      {is === "other" && (
        <>
          This browser is signed in as someone else: <Line text={signedIn.name ?? ""} />{" "}
          {signedIn.email != null && (
            <>
              (<Line text={signedIn.email} />)
            </>
          )}
          . If you go on, it is signed in as <Line text={offer.email} /> instead.
        </>
      )}
      {is === "elsewhere" && (
        <>
          You are signed in to <Line text={signedIn.org_name ?? ""} />. If you go on, this browser is signed in to{" "}
          <Line text={offer.org_name} /> instead.
        </>
      )}
      {is === "here" && "You are signed in here already. You need this link only for a new token."}
    </p>
  );
}

function JoinForm({ offer, join, onIdentityNeeded }: Pick<Props, "offer" | "join" | "onIdentityNeeded">) {
  const [name, setName] = useState(offer.name);
  const send = useMutation({
    mutationFn: () => join(name.trim()),
    onError: (error) => {
      if (error instanceof ApiError && error.problem.code === "identity_needed") onIdentityNeeded();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!send.isPending) send.mutate();
  };
  const [label, busy] = offer.is_member ? ["Sign in", "Signing in …"] : ["Join", "Joining …"];
  return (
    <form onSubmit={submit} className="space-y-4">
      {!offer.is_member && (
        <Field name="Your name" hint="Shown to the other members, and in receipts.">
          <input
            className="input"
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="name"
            required
            maxLength={200}
          />
        </Field>
      )}
      {send.error !== null && <ProblemCard error={send.error} />}
      <Button type="submit" variant="primary" className="min-h-12 w-full" disabled={send.isPending}>
        {send.isPending ? busy : label}
      </Button>
    </form>
  );
}
