// The page of an invitation. It works without being signed in.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, api, take } from "../api/client";
import { me, queries } from "../api/queries";
import { signedIn } from "../api/signin";
import { arrivedFragment, forgetFragment } from "../frame/arrival";
import { OutsidePage } from "../frame/OutsidePage";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { InvitationCard } from "./InvitationCard";
import { Joined, type JoinedPerson } from "./Joined";

export function JoinPage() {
  const [token] = useState(arrivedFragment);
  const [joined, setJoined] = useState<JoinedPerson | null>(null);
  return (
    <OutsidePage>
      {joined !== null ? (
        <Joined joined={joined} />
      ) : token === null ? (
        <NoInvitation />
      ) : (
        <Offer token={token} onJoined={setJoined} />
      )}
    </OutsidePage>
  );
}

function Offer({ token, onJoined }: { token: string; onJoined: (joined: JoinedPerson) => void }) {
  // The token is in no key of the cache.
  const { data, error, refetch } = useQuery({
    queryKey: ["join"],
    queryFn: ({ signal }) => take(api.POST("/v1/join/look", { body: { token }, signal })),
    staleTime: Infinity,
  });
  const browser = useQuery({ ...me, retry: false });
  if (error instanceof ApiError && error.problem.code === "not_found") return <NoInvitation />;
  if (error !== null)
    return (
      <ProblemCard error={error}>
        <div className="pt-2">
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      </ProblemCard>
    );
  if (data === undefined || browser.isPending) return <Loading what="the invitation" />;
  const join = async (name: string) => {
    const { me: person, token: first } = await take(
      api.POST("/v1/join", { body: { token, ...(!data.is_member && { name }) } }),
    );
    forgetFragment();
    // What is cached belongs to whoever was signed in before.
    queries.clear();
    queries.setQueryData(me.queryKey, person);
    signedIn();
    onJoined({ person, token: first.token, isNew: !data.is_member });
  };
  return <InvitationCard offer={data} signedIn={browser.data} join={join} onIdentityNeeded={() => void refetch()} />;
}

function NoInvitation() {
  return (
    <div role="status" className="space-y-3">
      <h2 className="text-base font-semibold">This invitation cannot be used</h2>
      <p className="text-soft">
        The link was used, was withdrawn, has expired, or is not complete. Ask the person who invited you for a new
        link.
      </p>
      <p>
        <Link to="/inbox" className="font-medium text-accent underline">
          Sign in
        </Link>{" "}
        if you have joined already.
      </p>
    </div>
  );
}
