// In which spaces the signed-in person can open a session, and what it may use by default.
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { spaces } from "../settings/queries";
import { openable } from "../spaces/openness";
import { Line } from "../text/Visible";

export function OpenHint() {
  const known = useQuery(spaces).data;
  if (known === undefined) return null;
  const open = openable(known);
  if (open.length === 0) return <p>No space is open to you. Ask an admin to add you to one.</p>;
  return (
    <p>
      By default, a session may use the sources that are listed now, as far as you may use them in its space. You can
      open one in:{" "}
      {open.map((space, index) => (
        <Fragment key={space.id}>
          {index > 0 && ", "}
          <Line text={space.name} />
        </Fragment>
      ))}
      .
    </p>
  );
}
