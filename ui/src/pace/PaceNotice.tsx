// Tells people above the inbox that they approve faster than they can read. It can be dismissed for a week.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../api/permissions";
import { Icon } from "../ui/icons";
import { dismiss, isDismissed, pace, paceText } from "./pace";

export function PaceNotice() {
  const mayAnswer = useMay("admin");
  const [isHidden, setHidden] = useState(() => isDismissed(Date.now()));
  const { data } = useQuery({ ...pace, enabled: mayAnswer === true && !isHidden });
  const text = data === undefined || isHidden ? null : paceText(data);
  if (text === null) return null;
  const close = () => {
    dismiss(Date.now());
    setHidden(true);
  };
  return (
    <div role="status" className="flex shrink-0 items-start gap-2 border-b border-edge bg-sunk py-2.5 pr-2 pl-4">
      <span className="mt-0.5 text-faint">
        <Icon name="clock" />
      </span>
      <p className="min-w-0 flex-1 text-soft">{text}</p>
      <button
        type="button"
        onClick={close}
        className="-my-1 grid size-11 shrink-0 place-items-center rounded-md text-faint hover:bg-edge md:size-7"
        aria-label="Dismiss for a week"
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
