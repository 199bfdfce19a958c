// Why some are not approved with the others.

export function LeftOut({ count }: { count: number }) {
  return (
    <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      {count === 1 ? "1 is not approved with the others: a yes to it" : `${count} are not approved with the others: a yes to each of them`} must be signed with a passkey, by itself. Open {count === 1 ? "it" : "each"} in the list to
      approve it. A no needs no signature.
    </p>
  );
}
