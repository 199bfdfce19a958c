// Says above the inbox, once per person, that loosening waits for a second owner.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { me, org } from "../api/queries";
import { day } from "../text/time";
import { Icon } from "../ui/icons";
import { useUpgrade } from "../upgrade/news";
import { isClosed, isNews, markClosed } from "./notice";

export function DefaultNotice() {
  const person = useQuery(me).data;
  const where = useQuery({ ...org, enabled: person !== undefined }).data;
  const [isHidden, setHidden] = useState(false);
  const user = person?.user;
  // The notice about the upgrade says it too, and stands above this one.
  const isSaidAbove = useUpgrade() !== null;
  if (isHidden || isSaidAbove || person === undefined || user == null || where === undefined) return null;
  if (!isNews(where, person.role) || isClosed(person.org, user)) return null;
  const until = where.two_people_until ?? null;
  const close = () => {
    markClosed(person.org, user);
    setHidden(true);
  };
  return (
    <div
      role="region"
      aria-label="New"
      className="flex shrink-0 items-start gap-2 border-b border-edge bg-accent-wash py-2.5 pr-2 pl-4"
    >
      <span className="mt-0.5 text-accent">
        <Icon name="policy" />
      </span>
      <p className="min-w-0 flex-1">
        New: loosening a protection waits for a second owner
        {until === null
          ? ", because this organization has at least two"
          : ` until ${day(until)}, because another owner left`}
        . Tightening takes effect at once.{" "}
        <Link to="/settings/$part" params={{ part: "org" }} className="font-medium text-accent underline">
          Open the setting
        </Link>
      </p>
      <button
        type="button"
        onClick={close}
        className="-my-1 grid size-11 shrink-0 place-items-center rounded-md text-soft hover:bg-edge md:size-7"
        aria-label="Close"
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
