// Why some are not approved with the others.

export function LeftOut({ count, of }: { count: number; of: number }) {
  const who = count === of ? "Each of these" : count === 1 ? "1 of these" : `${count} of these`;
  return (
    <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {who} must be approved by itself: a yes to it is signed with a passkey. Open it in the list to do so. A no needs no signature.
    </p>
  );
}
