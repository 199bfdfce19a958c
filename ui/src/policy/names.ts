// Who did something, by name; somebody who left keeps their id.
import { useQuery } from "@tanstack/react-query";
import { members } from "./queries";

export function useNames(): (user: string) => string {
  const all = useQuery(members).data?.items ?? [];
  return (user) => all.find((each) => each.user === user)?.name ?? user;
}
