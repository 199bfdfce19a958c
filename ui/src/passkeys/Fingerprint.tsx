// The fingerprint of a passkey.
import type { Passkey } from "./queries";

const SHORT = 16;

/** Shortened; the title has the whole fingerprint. */
export function Fingerprint({ of: { fingerprint } }: { of: Passkey }) {
  return (
    <code className="font-mono" title={fingerprint}>
      {fingerprint.replace(/^sha256:/, "").slice(0, SHORT)}
    </code>
  );
}
