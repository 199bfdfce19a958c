// What to do where a sign-in of the last ten minutes is needed: confirm it with a passkey, or sign in again.
import { useMutation } from "@tanstack/react-query";
import { ApiError, api, take } from "../api/client";
import { signOut } from "../frame/orgs";
import { passkeyProblem } from "../passkeys/ceremony";
import { declare } from "../passkeys/declare";
import { useOwnPasskeys } from "../passkeys/queries";
import { signInChallenge } from "../passkeys/statement";
import { useAbortOnUnmount } from "../passkeys/useAbortOnUnmount";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

export function needsFreshSignIn(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === "fresh_sign_in_needed";
}

interface Props {
  /** Repeats what was refused. */
  onConfirmed: () => void;
  onClose: () => void;
}

export function FreshSignIn({ onConfirmed, onClose }: Props) {
  const end = useAbortOnUnmount();
  const canSign = useOwnPasskeys() === "usable" && passkeyProblem() === null;
  const confirm = useMutation({
    mutationFn: async () => take(api.POST("/v1/signin/passkey", { body: await declare(signInChallenge, end()) })),
    onSuccess: onConfirmed,
  });
  return (
    <Dialog title="Confirm that it is you" isOpen onClose={onClose}>
      <div className="space-y-4">
        <p>This needs a sign-in of the last ten minutes, so that nobody can do it with a browser that you left open.</p>
        <p className="text-soft">
          After you sign in again, you return to this page.
          {!canSign &&
            " A sign-in with a token counts from when the token was created; with a passkey you can confirm it."}
        </p>
        {confirm.error !== null && <ProblemCard error={confirm.error} />}
        <div className="flex flex-row-reverse flex-wrap gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          {canSign && (
            <Button variant="primary" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
              {confirm.isPending ? "Waiting for your device …" : "Confirm with a passkey"}
            </Button>
          )}
          <Button variant={canSign ? "plain" : "primary"} onClick={() => void signOut()}>
            Sign in again
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
