// Says that a change waits for a second owner, wherever it was made. Several at once are said together.
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { onProposed } from "../api/client";
import { queries } from "../api/queries";
import { notify } from "../frame/toasts";

/** Changes within this time are announced together. */
const TOGETHER_MS = 3_000;

interface Announced {
  count: number;
  at: number;
  close: () => void;
}

export function Announcement() {
  useEffect(() => {
    let last: Announced | null = null;
    return onProposed((id) => {
      void queries.invalidateQueries({ queryKey: ["proposed"] });
      const now = Date.now();
      const isMore = last !== null && now - last.at < TOGETHER_MS;
      const count = isMore ? (last?.count ?? 0) + 1 : 1;
      if (isMore) last?.close();
      const title = count === 1 ? "Waits for a second owner" : `${count} changes wait for a second owner`;
      const close = notify("wait", title, <Text id={count === 1 ? id : null} onOpen={() => close()} />);
      last = { count, at: now, close };
    });
  }, []);
  return null;
}

/** `id` is null for several. */
function Text({ id, onOpen }: { id: string | null; onOpen: () => void }) {
  const look = "font-medium text-accent underline";
  return (
    <>
      This loosens a protection. Nothing has changed yet.{" "}
      {id === null ? (
        <Link to="/inbox" className={look} onClick={onOpen}>
          Open the inbox
        </Link>
      ) : (
        <Link to="/inbox/$key" params={{ key: id }} className={look} onClick={onOpen}>
          Open the proposed change
        </Link>
      )}
    </>
  );
}
