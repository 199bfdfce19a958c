// The page of one policy, or of a new one.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useRef } from "react";
import { useMay } from "../../api/permissions";
import { plain } from "../../text/visible";
import { Empty, Loading, ProblemCard } from "../../ui/Bits";
import { cases, policies } from "../queries";
import type { PolicyView } from "../types";
import { PolicyEditor } from "./PolicyEditor";

export function NewPolicyPage() {
  return <EditorPage name={null} />;
}

export function PolicyTextPage() {
  const { policy } = useParams({ strict: false }) as { policy: string };
  return <EditorPage key={policy} name={policy} />;
}

function EditorPage({ name }: { name: string | null }) {
  const isAdmin = useMay("admin");
  const all = useQuery({ ...policies, enabled: isAdmin === true });
  const tests = useQuery({ ...cases, enabled: isAdmin === true });
  // A policy that somebody deletes meanwhile stays open, so that the edited text is not lost.
  const known = useRef<PolicyView | null>(null);
  if (isAdmin === false)
    return (
      <Empty icon="policy" title="Only admins can see and change policies">
        <p>To change a policy, ask an admin or owner.</p>
      </Empty>
    );
  const error = all.error ?? tests.error;
  if (all.data === undefined || tests.data === undefined)
    return error === null ? (
      <Loading what="the policy" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  const found = all.data.find((each) => each.name === name) ?? null;
  known.current = found ?? known.current;
  const saved = known.current;
  if (name !== null && saved === null)
    return (
      <Empty icon="policy" title={`No policy is named ${plain(name)}`}>
        <p>
          It may have been deleted, or it waits for a second owner.{" "}
          <Link to="/policy" hash="policies" className="text-accent underline">
            Show all policies
          </Link>
        </p>
      </Empty>
    );
  const names = all.data.map((each) => each.name);
  return <PolicyEditor saved={saved} isDeleted={name !== null && found === null} names={names} cases={tests.data} />;
}
