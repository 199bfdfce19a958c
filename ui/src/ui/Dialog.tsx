// A modal dialog: at the bottom on a phone, in the middle elsewhere.
import { Dialog as Radix } from "radix-ui";
import { createContext, type ReactNode, useContext } from "react";
import { Icon } from "./icons";

const CloseContext = createContext<(() => void) | null>(null);

/** Closes the dialog around a component; null where there is none. */
export function useCloseDialog(): (() => void) | null {
  return useContext(CloseContext);
}

interface Props {
  title: string;
  description?: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** At the top, for lists that grow; else low, so that the page behind stays visible. */
  isHigh?: boolean;
  /** For a table. */
  isWide?: boolean;
}

export function Dialog({ title, description, isOpen, onClose, children, isHigh = false, isWide = false }: Props) {
  const place = isHigh ? "top-3 md:top-[12vh]" : "bottom-0 md:bottom-[9vh] rounded-b-none md:rounded-b-2xl";
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/35" />
        <Radix.Content
          aria-describedby={undefined}
          className={`fixed z-50 inset-x-0 mx-auto w-full ${isWide ? "md:w-[min(64rem,94vw)]" : "md:w-[32rem]"}
            max-h-[85dvh] overflow-y-auto rounded-2xl border border-edge bg-card p-5
            pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-xl focus:outline-none ${place}`}
        >
          <div className="mb-3 flex items-start justify-between gap-3">
            <div className="min-w-0">
              <Radix.Title className="text-base font-semibold wrap-anywhere">{title}</Radix.Title>
              {description !== undefined && <div className="mt-0.5 text-soft">{description}</div>}
            </div>
            <Radix.Close className="-m-1.5 rounded-md p-1.5 text-faint hover:bg-sunk" aria-label="Close">
              <Icon name="close" />
            </Radix.Close>
          </div>
          <CloseContext value={onClose}>{children}</CloseContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
