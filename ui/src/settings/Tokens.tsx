// The person's own tokens: what each is for, when it was used last, and the way to end it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { notify } from "../frame/notices";
import { useNow } from "../text/now";
import { ago, ahead } from "../text/time";
import { plain } from "../text/visible";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { FormDialog } from "../ui/Form";
import { MakeToken } from "./MakeToken";
import { changed, type Token, tokens } from "./queries";
import { Heading, Row, Rows } from "./Rows";

export function Tokens() {
  const query = useQuery(tokens);
  const now = useNow();
  const [isMaking, setMaking] = useState(false);
  const [gone, setGone] = useState<Token | null>(null);
  const isOver = (token: Token) => token.revoked_at != null || (token.expires_at != null && Date.parse(token.expires_at) <= now);
  const live = { ...query, data: query.data?.filter((token) => !isOver(token) && !token.browser) } as typeof query;
  const browsers = query.data?.filter((token) => !isOver(token) && token.browser) ?? [];
  const over = query.data?.filter(isOver) ?? [];
  return (
    <>
      <Heading title="Your tokens" about={<>With a token a program speaks as you: the CLI (<code className="font-mono text-xs">countersign --token-file</code>), or your own. Give each its own, so that you can end one alone.</>}>
        <Button look="primary" onClick={() => setMaking(true)}>Make a token</Button>
      </Heading>
      <Rows name="Your tokens" query={live} none="You have none. Make one to use the CLI as yourself.">
        {(token) => <One key={token.id} token={token} onRevoke={() => setGone(token)} />}
      </Rows>
      {browsers.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{browsers.length === 1 ? "1 browser is" : `${browsers.length} browsers are`} signed in as you, the last {used(browsers.toSorted(latest)[0] as Token, now)}</summary>
          <ul aria-label="Browsers that are signed in" className="mt-2 divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
            {browsers.toSorted(latest).map((token) => <One key={token.id} token={token} onRevoke={() => setGone(token)} />)}
          </ul>
        </details>
      )}
      {over.length > 0 && (
        <details>
          <summary className="eyebrow cursor-pointer py-1">{over.length} that no longer {over.length === 1 ? "works" : "work"}</summary>
          <ul className="mt-2 space-y-1 text-soft">
            {over.map((token) => <li key={token.id}><Line text={token.name} /> <Badge>{token.revoked_at == null ? "ended" : "revoked"}</Badge> <span className="text-xs text-faint">{used(token, now)}</span></li>)}
          </ul>
        </details>
      )}
      {isMaking && <MakeToken onClose={() => setMaking(false)} />}
      {gone !== null && <Revoke token={gone} onClose={() => setGone(null)} />}
    </>
  );
}

function One({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const now = useNow();
  return (
    <Row title={<><Line text={token.name} />{token.browser && <Badge>browser</Badge>}</>} about={<>{used(token, now)} · made {ago(token.created_at, now)} · {token.expires_at == null ? "without end" : `ends ${ahead(token.expires_at, now)}`}</>}>
      <Button look="bad" onClick={onRevoke} aria-label={`Revoke ${plain(token.name)}`}>Revoke</Button>
    </Row>
  );
}

const latest = (a: Token, b: Token) => (b.last_used_at ?? "").localeCompare(a.last_used_at ?? "");

function used(token: Token, now: number): string {
  return token.last_used_at == null ? "never used" : `used ${ago(token.last_used_at, now)}`;
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const send = useMutation({
    mutationFn: () => take(api.DELETE("/v1/tokens/{token}", { params: { path: { token: token.id } } })),
    onSuccess: async () => {
      await changed("tokens");
      notify("good", "Revoked", <><Line text={token.name} /> lets nobody in any more.</>);
      onClose();
    },
  });
  return (
    <FormDialog title="Revoke this token?" about={<Line text={token.name} />} does="Revoke" look="bad" isBusy={send.isPending} error={send.error} onClose={onClose} onSubmit={() => send.mutate()}>
      <p>Whatever uses it is refused from now on. That cannot be undone; a new token is another one.</p>
    </FormDialog>
  );
}
