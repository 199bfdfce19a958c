// The tokens of new webhook triggers, shown once, with an example request.
import { useState } from "react";
import type { Schemas } from "../api/client";
import { Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

export function NewTokens({
  tokens,
  onClose,
}: {
  tokens: readonly Schemas["NewHookTokenView"][];
  onClose: () => void;
}) {
  return (
    <Dialog
      title="Copy this token now"
      description="The token is shown only once. Countersign stores a hash of it."
      isOpen={tokens.length > 0}
      onClose={onClose}
    >
      <div className="space-y-5">
        {tokens.map((each) => (
          <div key={each.trigger} className="space-y-3">
            <Copy name="Webhook URL" value={location.origin + each.path} />
            <Copy name="Token" value={each.token} isSecret />
            {each.signing_secret != null && <Copy name="Signing secret" value={each.signing_secret} isSecret />}
            <p className="text-xs text-faint">Test request. The inputs are taken from the body:</p>
            <pre
              role="group"
              className="overflow-x-auto rounded-lg bg-sunk px-3 py-2 font-mono text-xs"
              tabIndex={0}
              aria-label="Example"
            >
              {example(location.origin + each.path)}
            </pre>
          </div>
        ))}
        <div className="flex flex-row-reverse">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function example(url: string): string {
  return [
    'curl -X POST -H "Authorization: Bearer $TOKEN" \\',
    "  -H 'content-type: application/json' -d '{}' \\",
    `  ${url}`,
  ].join("\n");
}

function Copy({ name, value, isSecret = false }: { name: string; value: string; isSecret?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <div>
      <p className="mb-1 text-xs font-medium text-faint">{name}</p>
      <div className="flex items-stretch gap-2">
        <code
          data-secret={isSecret || undefined}
          className={`min-w-0 flex-1 self-center wrap-anywhere rounded-lg border border-edge bg-sunk px-3 py-2 font-mono
            text-[0.8125rem] select-all`}
        >
          <Line text={value} />
        </code>
        <Button onClick={copy}>
          <span>
            {isCopied ? "Copied" : "Copy"}
            <span className="sr-only"> {name}</span>
          </span>
        </Button>
      </div>
    </div>
  );
}
