// "Run now": a form from the schema of the inputs, and what is wrong with them where they are wrong.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Refusal } from "../api/client";
import { notify } from "../frame/notices";
import { errorsOf } from "../form/problems";
import { plain } from "../text/visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { type Fields, inputs, inputsSchema } from "./definition";
import { automation, runNow } from "./queries";

const SchemaForm = lazy(async () => ({ default: (await import("../form/SchemaForm")).SchemaForm }));

export function RunNow({ id, name, isOpen, onClose }: { id: string; name: string; isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={`Run ${plain(name)} now`} isOpen={isOpen} onClose={onClose}>
      <Inputs id={id} onClose={onClose} />
    </Dialog>
  );
}

function Inputs({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  const { data, error } = useQuery(automation(id));
  const [given, setGiven] = useState<Fields>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  if (data === undefined) return error === null ? <Loading what="what it needs" /> : <ProblemCard error={error} />;
  const definition = data.definition as Fields;
  const asked = inputs(definition);
  const start = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const run = await runNow(id, given);
      notify("good", "It runs", `Run #${run.number} has begun.`);
      onClose();
      void navigate({ to: "/runs/$run", params: { run: run.id } });
    } catch (refused) {
      setRefusal(refused);
    } finally {
      setBusy(false);
    }
  };
  const problems = refusal instanceof Refusal ? (refusal.problem.errors ?? []) : [];
  return (
    <form className="space-y-4" onSubmit={(event) => { event.preventDefault(); void start(); }}>
      {asked.length === 0 ? (
        <p className="text-soft">It takes no inputs. Each step is decided as always: some may ask a person.</p>
      ) : (
        <>
          <p className="text-soft">What is not needed may be left empty: it takes the value that stands there in grey.</p>
          <Suspense fallback={<Loading what="the form" />}>
            <SchemaForm id="run" isWhole schema={inputsSchema(definition)} value={given} onChange={setGiven} errors={errorsOf(problems, "/inputs")} />
          </Suspense>
        </>
      )}
      {refusal !== null && problems.length === 0 && <ProblemCard error={refusal} />}
      <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
        <Button type="submit" look="primary" disabled={isBusy} autoFocus={asked.length === 0}>Run it</Button>
        <Button look="quiet" onClick={onClose}>Back</Button>
      </div>
    </form>
  );
}
