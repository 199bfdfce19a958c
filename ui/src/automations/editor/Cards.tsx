// Cards and sections of the form.
import type { ReactNode } from "react";
import { Icon } from "../../ui/icons";

interface CardProps {
  /** The name in aria labels. */
  name: string;
  head: ReactNode;
  children: ReactNode;
  onRemove: () => void;
  onMove?: ((by: -1 | 1) => void) | undefined;
  isFirst?: boolean;
  isLast?: boolean;
  isOpen?: boolean;
  onToggle?: (() => void) | undefined;
}

export function Card({
  name,
  head,
  children,
  onRemove,
  onMove,
  isFirst = false,
  isLast = false,
  isOpen = true,
  onToggle,
}: CardProps) {
  const button = "rounded-md p-2 text-faint hover:bg-sunk hover:text-ink disabled:opacity-30";
  return (
    <div className="rounded-xl border border-edge bg-card">
      <div className={`flex items-center gap-2 border-edge py-2 pr-2 pl-4 ${isOpen ? "border-b" : ""}`}>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">{head}</div>
        {onToggle !== undefined && (
          <button
            type="button"
            className={button}
            aria-expanded={isOpen}
            aria-label={`${isOpen ? "Collapse" : "Expand"} ${name}`}
            onClick={onToggle}
          >
            <Icon name={isOpen ? "less" : "plus"} />
          </button>
        )}
        {onMove !== undefined && (
          <>
            <button
              type="button"
              className={button}
              disabled={isFirst}
              aria-label={`Move ${name} up`}
              onClick={() => onMove(-1)}
            >
              <Icon name="back" className="size-4 rotate-90" />
            </button>
            <button
              type="button"
              className={button}
              disabled={isLast}
              aria-label={`Move ${name} down`}
              onClick={() => onMove(1)}
            >
              <Icon name="back" className="size-4 -rotate-90" />
            </button>
          </>
        )}
        <button type="button" className={`${button} hover:!text-bad`} aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      {isOpen && <div className="space-y-4 p-4">{children}</div>}
    </div>
  );
}

export function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-3">
      <div>
        <h2 className="text-[0.9375rem] font-semibold">{title}</h2>
        {about !== undefined && <p className="text-xs text-faint">{about}</p>}
      </div>
      {children}
    </section>
  );
}

export function Labelled({
  id,
  name,
  about,
  children,
}: {
  id: string;
  name: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-[0.8125rem] font-medium">
        {name}
      </label>
      {children}
      {about !== undefined && <p className="mt-1 text-xs text-faint">{about}</p>}
    </div>
  );
}
