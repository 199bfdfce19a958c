// Changes that wait for a second owner, and how they are answered.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, take } from "../api/client";
import { me, queries } from "../api/queries";
import { type ProposedChange, type ProposedRow, proposedRows } from "./proposed";

export const waitingChanges = queryOptions({
  queryKey: ["proposed", "waiting"],
  queryFn: async ({ signal }): Promise<ProposedChange[]> => {
    const query = { status: "waiting" };
    return (await take(api.GET("/v1/proposed-changes", { params: { query }, signal }))).items;
  },
  // Events announce changes; this is for when the stream is interrupted.
  refetchInterval: 30_000,
  // Structural sharing copies objects and loses a field named `__proto__`.
  structuralSharing: false,
});

export const proposedChange = (id: string) =>
  queryOptions({
    queryKey: ["proposed", id],
    queryFn: ({ signal }): Promise<ProposedChange> =>
      take(api.GET("/v1/proposed-changes/{proposed}", { params: { path: { proposed: id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === "waiting" ? 30_000 : false),
    structuralSharing: false,
  });

const NONE: ProposedRow[] = [];

/** The rows of the inbox for the signed-in person. */
export function useProposedRows(): ProposedRow[] {
  const { data } = useQuery(waitingChanges);
  const viewer = useQuery(me).data;
  return useMemo(
    () => (data === undefined || viewer === undefined ? NONE : proposedRows(data, viewer)),
    [data, viewer],
  );
}

export type Answer = "approve" | "deny" | "withdraw";

/** Answers exactly the change that was shown: an approval names its digest. */
export async function answerChange(shown: ProposedChange, answer: Answer, reason: string): Promise<ProposedChange> {
  const params = { path: { proposed: shown.id } };
  const given = reason.trim() === "" ? {} : { reason: reason.trim() };
  try {
    const next = await send();
    queries.setQueryData(proposedChange(shown.id).queryKey, next);
    return next;
  } finally {
    // Also after a refusal: someone else may have answered, or it has changed.
    void queries.invalidateQueries({ queryKey: ["proposed"] });
  }
  function send(): Promise<ProposedChange> {
    switch (answer) {
      case "approve":
        return take(
          api.POST("/v1/proposed-changes/{proposed}/approve", { params, body: { digest: shown.digest, ...given } }),
        );
      case "deny":
        return take(api.POST("/v1/proposed-changes/{proposed}/deny", { params, body: given }));
      case "withdraw":
        return take(api.POST("/v1/proposed-changes/{proposed}/withdraw", { params }));
    }
  }
}
