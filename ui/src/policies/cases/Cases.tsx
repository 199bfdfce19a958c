// The cases: requests with the decision that the policies must give. They run whenever an enforced policy is saved.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge, Empty, Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { FormDialog } from "../../ui/Form";
import { ModeBadge } from "../../ui/Mode";
import { Code, Rows } from "../Badges";
import { caseResults, cases, deleteCase } from "../queries";
import type { CaseResult, CaseView } from "../types";
import { counted, listed } from "../words";
import { CaseDialog } from "./CaseDialog";
import { ResultText } from "./CaseResults";

const NONE: CaseView[] = [];

export function Cases() {
  const { data, error } = useQuery(cases);
  const results = useQuery({ ...caseResults(data ?? NONE), enabled: (data ?? NONE).length > 0 });
  const [editing, setEditing] = useState<CaseView | "new" | null>(null);
  const [deleting, setDeleting] = useState<CaseView | null>(null);
  if (data === undefined) return error === null ? <Loading what="cases" /> : <ProblemCard error={error} />;
  const create = (
    <Button variant={data.length === 0 ? "primary" : "plain"} onClick={() => setEditing("new")}>
      New case
    </Button>
  );
  const resultOf = (name: string) => results.data?.find((each) => each.name === name);
  return (
    <div className="space-y-4">
      {data.length === 0 ? (
        <Empty icon="check" title="No cases">
          <p>
            A case is a request with the decision that your policies must give. All cases run when an enforced policy is
            saved, so that no change breaks what you rely on.
          </p>
          <p className="pt-2">{create}</p>
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <p className="min-w-0 flex-1 basis-full md:basis-64 text-soft">
              <Summary results={results.data} all={data.length} />
            </p>
            {create}
            <Button variant="primary" disabled={results.isFetching} onClick={() => void results.refetch()}>
              {results.isFetching ? "Running …" : "Run all"}
            </Button>
          </div>
          {results.error !== null && <ProblemCard error={results.error} />}
          <Rows name="Cases">
            {data.map((each) => (
              <Row
                key={each.name}
                one={each}
                result={resultOf(each.name)}
                onEdit={() => setEditing(each)}
                onDelete={() => setDeleting(each)}
              />
            ))}
          </Rows>
        </>
      )}
      {editing !== null && (
        <CaseDialog
          saved={editing === "new" ? null : editing}
          names={data.map(({ name }) => name)}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting !== null && <DeleteDialog one={deleting} onClose={() => setDeleting(null)} />}
    </div>
  );
}

function Summary({ results, all }: { results: readonly CaseResult[] | undefined; all: number }) {
  if (results === undefined) return <>{counted(all, "case")}. They run when an enforced policy is saved.</>;
  const failed = results.filter(({ passed }) => !passed).length;
  return failed === 0 ? (
    <span role="status">
      {all === 1 ? "The case passes" : `All ${counted(all, "case")} pass`} with the present policies.
    </span>
  ) : (
    <span role="status" className="font-medium text-bad">
      {failed} of {counted(all, "case")} {failed === 1 ? "fails" : "fail"} with the present policies.
    </span>
  );
}

interface RowProps {
  one: CaseView;
  result: CaseResult | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

function Row({ one, result, onEdit, onDelete }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">
            <Line text={one.name} />
          </span>
          {result !== undefined && (
            <Badge tone={result.passed ? "good" : "bad"}>{result.passed ? "passes" : "fails"}</Badge>
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-soft">
          <Code text={one.request.action} /> <ModeBadge mode={one.expect} />
          {one.policies != null && one.policies.length > 0 && (
            <span>
              by <Line text={listed(one.policies)} />
            </span>
          )}
          {one.only !== undefined && one.only.length > 0 && (
            <span>
              with <Line text={listed(one.only)} /> only
            </span>
          )}
        </p>
        {result !== undefined && !result.passed && (
          <p className="text-bad wrap-anywhere first-letter:uppercase">
            <ResultText result={result} />
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <Button onClick={onEdit}>
          Edit<span className="sr-only"> {plain(one.name)}</span>
        </Button>
        <Button variant="bad" onClick={onDelete}>
          Delete<span className="sr-only"> {plain(one.name)}</span>
        </Button>
      </div>
    </li>
  );
}

function DeleteDialog({ one, onClose }: { one: CaseView; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => deleteCase(one.name),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Case deleted", plain(one.name));
      onClose();
    },
  });
  return (
    <FormDialog
      title="Delete this case?"
      description={<Line text={one.name} />}
      submitLabel="Delete case"
      look="bad"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
    >
      <p>Changes of policies are no longer tested against it.</p>
    </FormDialog>
  );
}
