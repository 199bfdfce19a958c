// Sign-in with the identity provider or a token. The page stores neither; the session is a cookie that scripts cannot
// read.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import { me, queries } from "../api/queries";
import { failedBecause, rememberedPage, rememberPage, signedIn, signedOutBecause } from "../api/signin";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { OutsidePage } from "./OutsidePage";

const FAILED: Record<string, string> = {
  refused: "Sign-in was denied by your identity provider or cancelled.",
  expired: "Sign-in expired or was started in another browser. Try again.",
  not_a_member: "You are not a member of any organization here. Ask an owner to invite your email address.",
  unverified: "Your identity provider has not verified your email address. Verify it there, then try again.",
  provider: "Your identity provider returned an error. Try again, or contact the operator of this gateway.",
};

const NOTE = "You stay signed in on this device until you sign out. The session cookie is not readable by scripts.";

export function SignIn() {
  const ways = useQuery({
    queryKey: ["signin"],
    queryFn: ({ signal }) => take(api.GET("/v1/signin", { signal })),
    staleTime: 60_000,
  });
  const because = signedOutBecause();
  const provider = ways.data?.oidc;
  return (
    <OutsidePage note={NOTE}>
      {because !== null && (
        <p role="status" className="rounded-lg bg-warn-wash p-3 text-warn">
          You were signed out: <Line text={because} />
        </p>
      )}
      {failedBecause !== null && because === null && (
        <p role="alert" className="rounded-lg bg-warn-wash p-3 text-warn">
          {FAILED[failedBecause] ?? (
            <>
              You are not signed in: <Line text={failedBecause} />
            </>
          )}
        </p>
      )}
      {ways.error !== null && <ProblemCard error={ways.error} />}
      {provider != null && <ProviderSignIn name={provider.name} />}
      {provider != null ? (
        <details className="group">
          <summary className="cursor-pointer text-center text-soft">or use a token</summary>
          <div className="mt-4">
            <TokenForm />
          </div>
        </details>
      ) : (
        !ways.isPending && <TokenForm isFirst />
      )}
    </OutsidePage>
  );
}

/** The requested page, so that a link from a message still works after sign-in. */
function wanted(): string {
  return failedBecause === null ? location.pathname + location.search : "/";
}

function ProviderSignIn({ name }: { name: string }) {
  const [to] = useState(() => (failedBecause === null ? wanted() : (rememberedPage() ?? "/")));
  return <ProviderLink name={name} to={to} />;
}

/** Leads to the identity provider, and then to the page `to`. */
export function ProviderLink({ name, to }: { name: string; to: string }) {
  return (
    <a
      href={`/v1/signin/oidc?to=${encodeURIComponent(to)}`}
      onClick={() => rememberPage(to)}
      className={`flex min-h-12 w-full items-center justify-center rounded-lg bg-accent px-4 text-base font-medium
        text-accent-ink hover:brightness-110`}
    >
      <span className="truncate">
        Sign in with <Line text={name} />
      </span>
    </a>
  );
}

function TokenForm({ isFirst = false }: { isFirst?: boolean }) {
  const navigate = useNavigate();
  const [value, setValue] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const token = value.trim();
  // An agent's token cannot sign in, so it is not even sent.
  const isSession = token.startsWith("csn_ses_");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (token === "" || isBusy || isSession) return;
    setBusy(true);
    setError(null);
    try {
      const user = await take(api.POST("/v1/signin", { body: { token } }));
      queries.clear();
      queries.setQueryData(me.queryKey, user);
      const to = failedBecause === null ? null : rememberedPage();
      signedIn();
      if (to !== null) void navigate({ href: to, replace: true });
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <label className="flex flex-col gap-1.5">
        <span className="font-medium">Your token</span>
        <input
          className="input font-mono"
          type="password"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          placeholder="csn_api_…"
          autoComplete="off"
          spellCheck={false}
          autoFocus={isFirst}
          required
        />
        <span className="block text-xs text-faint">
          You got it when you joined. If you lost it, ask an owner for a new sign-in link.
        </span>
      </label>
      {isSession && (
        <p role="alert" className="rounded-lg bg-warn-wash p-3 text-warn">
          This is a session token of an agent. Use your own token.
        </p>
      )}
      {error !== null && <ProblemCard error={error} />}
      <Button
        type="submit"
        variant={isFirst ? "primary" : "plain"}
        className="w-full"
        disabled={isBusy || token === "" || isSession}
      >
        {isBusy ? "Signing in …" : "Sign in"}
      </Button>
    </form>
  );
}
