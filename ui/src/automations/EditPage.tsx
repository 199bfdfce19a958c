// Edits an automation, starting from the current version.
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Loading, ProblemCard } from "../ui/Bits";
import type { Fields } from "./definition";
import { Editor } from "./editor/Editor";
import { automation, type Detail } from "./queries";

export function EditPage() {
  const { automation: id } = useParams({ strict: false }) as { automation: string };
  const { data, error, isFetching } = useQuery({ ...automation(id), staleTime: 0 });
  const [base, setBase] = useState<Detail | null>(null);
  // Keeps the version it started from, whatever is saved elsewhere.
  if (base?.id !== id && data !== undefined && !isFetching) setBase(data);
  if (base?.id === id) return <Editor key={id} saved={base} start={base.definition as Fields} />;
  return error === null ? (
    <Loading what="the automation" />
  ) : (
    <div className="p-4">
      <ProblemCard error={error} />
    </div>
  );
}
