// Says which requests cannot be approved in bulk.

export function SignSeparately({ count, of }: { count: number; of: number }) {
  const subject = count === of ? "Each request" : count === 1 ? "1 request" : `${count} requests`;
  return (
    <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {subject} must be approved one by one, because the approval is signed with a passkey. Open it in the list to
      approve it. Denying needs no signature.
    </p>
  );
}

export function RevealSeparately({ count, of }: { count: number; of: number }) {
  return (
    <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {count === of ? "Each request" : count === 1 ? "1 request" : `${count} requests`}{" "}
      {count === 1 || count === of ? "has" : "have"} hidden values. Open it in the list to reveal them and approve it.
      Denying needs no reveal.
    </p>
  );
}
