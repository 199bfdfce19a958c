// The dialog to start a run, with a form for the inputs.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "../api/client";
import { errorsOf } from "../form/problems";
import { notify } from "../frame/toasts";
import { plain } from "../text/visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { type Fields, inputs, inputsSchema } from "./definition";
import { automation, runNow } from "./queries";

const SchemaForm = lazy(async () => ({ default: (await import("../form/SchemaForm")).SchemaForm }));

export function RunNow({
  id,
  name,
  isOpen,
  onClose,
}: {
  id: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title={`Run ${plain(name)}`} isOpen={isOpen} onClose={onClose}>
      <Inputs id={id} onClose={onClose} />
    </Dialog>
  );
}

function Inputs({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(automation(id));
  const [values, setValues] = useState<Fields>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (data === undefined) return error === null ? <Loading what="inputs" /> : <ProblemCard error={error} />;
  const definition = data.definition as Fields;
  const declared = inputs(definition);
  const start = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const run = await runNow(id, values);
      notify("good", "Run started", `Run #${run.number} is in progress.`);
      onClose();
      void navigate({ to: "/runs/$run", params: { run: run.id } });
    } catch (caught) {
      setRefusal(caught);
    } finally {
      setBusy(false);
    }
  };
  const problems = refusal instanceof ApiError ? (refusal.problem.errors ?? []) : [];
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {declared.length === 0 ? (
        <p className="text-soft">No inputs. Some steps may need approval.</p>
      ) : (
        <>
          <p className="text-soft">Optional fields use the default shown in grey when left empty.</p>
          <Suspense fallback={<Loading what="the form" />}>
            <SchemaForm
              id="run"
              isComplete
              schema={inputsSchema(definition)}
              value={values}
              onChange={setValues}
              errors={errorsOf(problems, "/inputs")}
            />
          </Suspense>
        </>
      )}
      {refusal !== null && problems.length === 0 && <ProblemCard error={refusal} />}
      <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
        <Button type="submit" variant="primary" disabled={isBusy} autoFocus={declared.length === 0}>
          {" "}
          Run{" "}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
