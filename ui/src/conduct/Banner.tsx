// The banner at the top of every page while something is stopped or in a dry run.
import { useState } from "react";
import { useMay } from "../api/permissions";
import { Excerpt, Line } from "../text/Visible";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { type ConductView, summaryText, targetLabel } from "./conduct";
import { openResume } from "./dialogs";
import { useConducts } from "./queries";
import { SetBy, TargetText } from "./Words";

/** A longer reason is cut until the reader expands it. */
const SHORT = 160;

export function ConductBanner() {
  const all = useConducts();
  const [isOpen, setOpen] = useState(false);
  const [first] = all;
  if (first === undefined) return null;
  const isStopped = all.some((each) => each.conduct === "halted");
  const isSeveral = all.length > 1;
  return (
    <section
      aria-label="Stopped"
      className={`max-h-[40dvh] shrink-0 space-y-2 overflow-y-auto border-b border-edge px-4 py-2 md:px-6
        ${isStopped ? "bg-bad-wash text-bad" : "bg-warn-wash text-warn"}`}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon name="stop" className="size-5 max-md:hidden" />
        <div className="min-w-48 flex-1">
          {/* Only what does not change every second, or a screen reader would repeat it. */}
          <p role="status" className="inline">
            {isSeveral ? (
              <span className="font-semibold">{summaryText(all)}</span>
            ) : (
              <Text conduct={first} isWhole={isOpen} />
            )}
          </p>
          {!isSeveral && (
            <>
              {" "}
              <span className="text-xs">
                · <SetBy conduct={first} />
              </span>
            </>
          )}
        </div>
        {(isSeveral || first.reason.length > SHORT) && (
          <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="!text-inherit">
            {isOpen ? "Show less" : "Show all"}
          </Button>
        )}
        {!isSeveral && <Resume conduct={first} />}
      </div>
      {isSeveral && isOpen && (
        <ul aria-label="What is stopped" className="divide-y divide-current/20">
          {all.map((each) => (
            <li key={`${each.scope} ${each.subject}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
              <p className="min-w-48 flex-1">
                <Text conduct={each} isWhole />{" "}
                <span className="text-xs">
                  · <SetBy conduct={each} />
                </span>
              </p>
              <Resume conduct={each} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Text({ conduct, isWhole = false }: { conduct: ConductView; isWhole?: boolean }) {
  return (
    <>
      <span className="font-semibold">
        {conduct.conduct === "halted" ? "Stopped" : "Dry run"}: <TargetText target={conduct} isLink />.
      </span>{" "}
      Reason:{" "}
      <span className="wrap-anywhere">
        {isWhole ? <Line text={conduct.reason} /> : <Excerpt text={conduct.reason} />}
      </span>
    </>
  );
}

function Resume({ conduct }: { conduct: ConductView }) {
  if (useMay("admin") !== true) return null;
  return (
    <Button aria-label={`Resume ${targetLabel(conduct)}`} onClick={() => openResume(conduct)}>
      Resume
    </Button>
  );
}
