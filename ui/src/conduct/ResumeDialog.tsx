// Resumes something. It shows who stopped it, when and why.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "../frame/toasts";
import { moment } from "../text/time";
import { Block } from "../text/Visible";
import { FormDialog } from "../ui/Form";
import { Fact, Facts } from "../ui/Section";
import { type ConductView, ORG, ownConduct, RESUME_REASONS, targetLabel } from "./conduct";
import { conducts, setConduct } from "./queries";
import { REASON_REQUIRED, ReasonField } from "./ReasonField";
import { SetBy, TargetText } from "./Words";

export function ResumeDialog({ conduct, onClose }: { conduct: ConductView; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { data } = useQuery(conducts);
  const isOver = data !== undefined && ownConduct(data, conduct) === null;
  const whole = conduct.scope === "org" ? null : ownConduct(data ?? [], ORG);
  const isStopped = conduct.conduct === "halted";
  const send = useMutation({
    mutationFn: () => setConduct(conduct, "normal", reason),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Resumed", <TargetText target={conduct} />);
      onClose();
    },
  });
  const submit = () => (reason.trim() === "" ? setMissing(true) : send.mutate());
  return (
    <FormDialog
      title={`Resume ${targetLabel(conduct)}`}
      submitLabel="Resume"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {isOver && !send.isPending && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Someone has resumed it already.
        </p>
      )}
      <Facts>
        <Fact name={isStopped ? "Stopped" : "Dry run"}>
          <span title={moment(conduct.set_at)}>
            <SetBy conduct={conduct} />
          </span>
        </Fact>
        <Fact name="Reason">
          <Block text={conduct.reason} />
        </Fact>
      </Facts>
      <p>
        {!isStopped && "Actions are performed again. "}
        Approved requests that did not expire will be performed now.
      </p>
      {whole !== null && (
        <p role="status" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          The whole organization is {whole.conduct === "halted" ? "stopped" : "in a dry run"} too. That remains.
        </p>
      )}
      <ReasonField
        value={reason}
        suggestions={RESUME_REASONS}
        hint="Stored in the record of changes."
        onChange={(next) => {
          setReason(next);
          setMissing(false);
        }}
      />
      {isMissing && (
        <p role="alert" className="text-bad">
          {REASON_REQUIRED}
        </p>
      )}
    </FormDialog>
  );
}
