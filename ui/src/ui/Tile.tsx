// A number with its name, as a link to what it counts.
import type { ReactNode } from "react";

interface Props {
  name: string;
  value: string;
  more: string;
  link: (inner: ReactNode, look: string) => ReactNode;
}

export function Tile({ name, value, more, link }: Props) {
  const inner = (
    <>
      <span className="block text-xs font-medium text-faint">{name}</span>
      <span className="block text-2xl font-semibold tabular-nums">{value}</span>
      <span className="block text-xs text-faint">{more}</span>
    </>
  );
  return <li>{link(inner, "block h-full rounded-xl border border-edge bg-card px-4 py-3 hover:border-accent")}</li>;
}
