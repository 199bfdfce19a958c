// Tokens in their groups, each with a button to revoke it.
import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { changed } from "../settings/queries";
import { Row, Rows } from "../settings/Rows";
import { useNow } from "../text/now";
import { ago, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { Person } from "./Person";
import type { Token } from "./queries";
import { groupTokens, usedText } from "./tokens";

interface Props {
  name: string;
  query: UseQueryResult<Token[]>;
  none: ReactNode;
  /** Whether each row says whose token it is. */
  isNamed?: boolean;
}

export function TokenLists({ name, query, none, isNamed = false }: Props) {
  const now = useNow();
  const [revoking, setRevoking] = useState<Token | null>(null);
  const { programs, browsers, over } = groupTokens(query.data ?? [], now);
  const row = (token: Token) => (
    <TokenRow key={token.id} token={token} isNamed={isNamed} onRevoke={() => setRevoking(token)} />
  );
  const [lastBrowser] = browsers;
  const shown = (query.data === undefined ? query : { ...query, data: programs }) as typeof query;
  return (
    <>
      <Rows name={name} query={shown} none={none}>
        {row}
      </Rows>
      {lastBrowser !== undefined && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">
            {browsers.length === 1 ? "1 browser is" : `${browsers.length} browsers are`} signed in, last{" "}
            {usedText(lastBrowser, now)}
          </summary>
          <ul
            aria-label="Signed-in browsers"
            className="mt-2 divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card"
          >
            {browsers.map(row)}
          </ul>
        </details>
      )}
      {over.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{over.length} expired or revoked</summary>
          <ul className="mt-2 space-y-1 text-soft">
            {over.map((token) => (
              <li key={token.id} className="wrap-anywhere">
                <Line text={token.name} /> <Badge>{token.revoked_at == null ? "expired" : "revoked"}</Badge>{" "}
                <span className="text-xs text-faint">
                  {isNamed && (
                    <>
                      <Person id={token.user} /> ·{" "}
                    </>
                  )}
                  {usedText(token, now)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {revoking !== null && <RevokeToken token={revoking} isNamed={isNamed} onClose={() => setRevoking(null)} />}
    </>
  );
}

function TokenRow({ token, isNamed, onRevoke }: { token: Token; isNamed: boolean; onRevoke: () => void }) {
  const now = useNow();
  return (
    <Row
      title={
        <>
          <Line text={token.name} />
          {token.browser && <Badge>browser</Badge>}
          {token.expires_at == null && <Badge tone="warn">never expires</Badge>}
        </>
      }
      about={
        <>
          {isNamed && (
            <>
              <Person id={token.user} /> ·{" "}
            </>
          )}
          {usedText(token, now)} · created {ago(token.created_at, now)}
          {token.expires_at != null && ` · expires ${untilText(token.expires_at, now)}`}
        </>
      }
    >
      <Button variant="bad" onClick={onRevoke} aria-label={`Revoke ${plain(token.name)}`}>
        Revoke
      </Button>
    </Row>
  );
}

function RevokeToken({ token, isNamed, onClose }: { token: Token; isNamed: boolean; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/tokens/{token}", { params: { path: { token: token.id } } })),
    onSuccess: async () => {
      await changed("tokens");
      notify(
        "good",
        "Revoked",
        <>
          <Line text={token.name} /> no longer works.
        </>,
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={token.browser ? "Sign out this browser?" : "Revoke this token?"}
      description={
        <>
          <Line text={token.name} />
          {isNamed && (
            <>
              , <Person id={token.user} />
            </>
          )}
        </>
      }
      submitLabel={token.browser ? "Sign out" : "Revoke"}
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>
        {token.browser
          ? "The browser must sign in again."
          : "Programs that use this token are rejected immediately. This cannot be undone."}
      </p>
    </FormDialog>
  );
}
