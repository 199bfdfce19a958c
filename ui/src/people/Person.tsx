// The name of a user by ID.
import { useQuery } from "@tanstack/react-query";
import { Line } from "../text/Visible";
import { members } from "./queries";

export function Person({ id }: { id: string }) {
  const found = useQuery(members).data?.find((member) => member.user === id);
  return <Line text={found?.name ?? id} />;
}
