// The layout of pages for people who are not signed in: one card.
import type { ReactNode } from "react";

export function OutsidePage({ note, children }: { note?: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <img src="/icon.svg" alt="" className="size-10" />
          <div>
            <h1 className="text-lg font-semibold">Countersign</h1>
            <p className="text-soft">Agents ask. People decide.</p>
          </div>
        </div>
        <div className="space-y-4 rounded-2xl border border-edge bg-card p-5 shadow-sm">{children}</div>
        {note !== undefined && <p className="mt-4 px-1 text-xs text-faint">{note}</p>}
      </div>
    </main>
  );
}
