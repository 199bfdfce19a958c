// Why some are not approved with the others.

export function LeftOut({ count, of }: { count: number; of: number }) {
  const who = count === of ? "Each of these must" : count === 1 ? "1 of these must" : `${count} of these must each`;
  return (
    <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {who} be approved by itself: a yes to it is signed with a passkey. Open it in the list to do so. A no needs no signature.
    </p>
  );
}
