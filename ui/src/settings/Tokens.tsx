// The tokens of the signed-in person.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/toasts";
import { useNow } from "../text/now";
import { ago, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { CreateToken } from "./CreateToken";
import { changed, type Token, tokens } from "./queries";
import { Heading, Row, Rows } from "./Rows";

export function Tokens() {
  const query = useQuery(tokens);
  const now = useNow();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const isOver = (token: Token) =>
    token.revoked_at != null || (token.expires_at != null && Date.parse(token.expires_at) <= now);
  const live = { ...query, data: query.data?.filter((token) => !isOver(token) && !token.browser) } as typeof query;
  const browsers = query.data?.filter((token) => !isOver(token) && token.browser) ?? [];
  const over = query.data?.filter(isOver) ?? [];
  return (
    <>
      <Heading
        title="Your tokens"
        about={
          <>
            Programs use a token to act as you, for example the CLI (
            <code className="font-mono text-xs">countersign --token-file</code>). Use one token per program.
          </>
        }
      >
        <Button variant="primary" onClick={() => setCreating(true)}>
          {" "}
          Create a token{" "}
        </Button>
      </Heading>
      <Rows name="Your tokens" query={live} none="No tokens. Create one to use the CLI.">
        {(token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />}
      </Rows>
      {browsers.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">
            {browsers.length === 1 ? "1 browser is" : `${browsers.length} browsers are`} signed in as you, last{" "}
            {used(browsers.toSorted(latest)[0] as Token, now)}
          </summary>
          <ul
            aria-label="Signed-in browsers"
            className="mt-2 divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card"
          >
            {browsers.toSorted(latest).map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
            ))}
          </ul>
        </details>
      )}
      {over.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{over.length} expired or revoked</summary>
          <ul className="mt-2 space-y-1 text-soft">
            {over.map((token) => (
              <li key={token.id}>
                <Line text={token.name} /> <Badge>{token.revoked_at == null ? "expired" : "revoked"}</Badge>{" "}
                <span className="text-xs text-faint">{used(token, now)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
      {revoking !== null && <RevokeToken token={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const now = useNow();
  return (
    <Row
      title={
        <>
          <Line text={token.name} />
          {token.browser && <Badge>browser</Badge>}
        </>
      }
      about={
        <>
          {used(token, now)} · created {ago(token.created_at, now)} ·{" "}
          {token.expires_at == null ? "never expires" : `expires ${untilText(token.expires_at, now)}`}
        </>
      }
    >
      <Button variant="bad" onClick={onRevoke} aria-label={`Revoke ${plain(token.name)}`}>
        Revoke
      </Button>
    </Row>
  );
}

const latest = (a: Token, b: Token) => (b.last_used_at ?? "").localeCompare(a.last_used_at ?? "");

function used(token: Token, now: number): string {
  return token.last_used_at == null ? "never used" : `used ${ago(token.last_used_at, now)}`;
}

function RevokeToken({ token, onClose }: { token: Token; onClose: () => void }) {
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
      title="Revoke this token?"
      description={<Line text={token.name} />}
      submitLabel="Revoke"
      look="bad"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>Programs that use this token are rejected immediately. This cannot be undone.</p>
    </FormDialog>
  );
}
