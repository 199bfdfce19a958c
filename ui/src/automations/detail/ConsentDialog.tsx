// Consents to a flow of an automation. It lists exactly what is added to the gate settings.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "../../frame/toasts";
import { consentToFlow, type FlowConsent, newConsents } from "../../policies/gates/flowConsents";
import { ReasonField } from "../../policies/ReasonField";
import { Names } from "../../policy/FlowFacts";
import { Line } from "../../text/Visible";
import { FormDialog } from "../../ui/Form";
import { Fact, Facts } from "../../ui/Section";
import { destinationText } from "../flow";

interface Props {
  consents: readonly FlowConsent[];
  onClose: () => void;
}

export function ConsentDialog({ consents, onClose }: Props) {
  const [reason, setReason] = useState("");
  // Several places that are templates are the same consent.
  const listed = newConsents([], consents);
  const send = useMutation({
    mutationFn: () => consentToFlow(listed, reason),
    networkMode: "always",
    onSuccess: () => {
      notify("good", "Consent saved", "Runs of this automation are not held for this flow.");
      onClose();
    },
  });
  return (
    <FormDialog
      title="Consent to this flow?"
      submitLabel="Consent"
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p>In runs of this automation, this data is sent and no person is asked because of it:</p>
      {listed.map((consent, index) => (
        <Consent key={index} consent={consent} />
      ))}
      <p className="text-soft">It applies until it is removed from the gate settings.</p>
      <ReasonField reason={reason} onChange={setReason} />
    </FormDialog>
  );
}

function Consent({ consent: { from, action, destination } }: { consent: FlowConsent }) {
  return (
    <Facts>
      <Fact name="Data from">
        <Names names={from} />
      </Fact>
      <Fact name="With the action">
        <code className="font-mono text-[0.8125rem] wrap-anywhere">
          <Line text={action} />
        </code>
      </Fact>
      <Fact name="To">
        <span className="wrap-anywhere">
          <Line text={destinationText(destination)} />
        </span>
      </Fact>
    </Facts>
  );
}
