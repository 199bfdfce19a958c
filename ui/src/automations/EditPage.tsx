// Editing an automation: it begins with the version that runs.
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
  const [begun, setBegun] = useState<Detail | null>(null);
  // What it began with stays, whatever is saved elsewhere meanwhile.
  if (begun?.id !== id && data !== undefined && !isFetching) setBegun(data);
  if (begun?.id === id) return <Editor key={id} saved={begun} start={begun.definition as Fields} />;
  return error === null ? <Loading what="the automation" /> : <div className="p-4"><ProblemCard error={error} /></div>;
}
