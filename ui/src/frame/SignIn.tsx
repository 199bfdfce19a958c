// The way in: a person's token. It is tried before it is kept, and the token of a session is told apart at once.
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import { queries } from "../api/queries";
import { signedOutBecause, signIn } from "../api/token";
import { Line } from "../text/Visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";

export function SignIn() {
  const [value, setValue] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isSession, setSession] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const because = signedOutBecause();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const token = value.trim();
    if (token === "" || isBusy) return;
    setBusy(true);
    setError(null);
    setSession(false);
    try {
      const who = await take(api.GET("/v1/me", { headers: { authorization: `Bearer ${token}` } }));
      if (typeof who.user !== "string") {
        setSession(true);
        return;
      }
      queries.clear();
      signIn(token);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <img src="/icon.svg" alt="" className="size-10" />
          <div>
            <h1 className="text-lg font-semibold">Countersign</h1>
            <p className="text-soft">Agents ask. People decide.</p>
          </div>
        </div>
        <form onSubmit={submit} className="space-y-4 rounded-2xl border border-edge bg-card p-5 shadow-sm">
          {because !== null && (
            <p role="status" className="rounded-lg bg-warn-wash p-3 text-warn">You were signed out: <Line text={because} /></p>
          )}
          <label className="flex flex-col gap-1.5">
            <span className="font-medium">Your token</span>
            <input className="input font-mono" type="password" value={value} onChange={(event) => setValue(event.target.value)} placeholder="csn_api_…" autoComplete="off" spellCheck={false} autoFocus required />
            <span className="block text-xs text-faint">A user's token. Without one, ask an admin: <code className="font-mono">countersign tokens create</code></span>
          </label>
          {isSession && (
            <p role="alert" className="rounded-lg bg-warn-wash p-3 text-warn">
              That is the token of a session. An agent holds it, and nobody can answer with it. Use your own.
            </p>
          )}
          {error !== null && <ProblemCard error={error} />}
          <Button type="submit" look="primary" className="w-full" disabled={isBusy || value.trim() === ""}>
            {isBusy ? "Signing in …" : "Sign in"}
          </Button>
        </form>
        <p className="mt-4 px-1 text-xs text-faint">The token is kept in this tab only, and forgotten when you close it or sign out.</p>
      </div>
    </main>
  );
}
