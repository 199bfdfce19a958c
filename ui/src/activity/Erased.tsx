// What is said of a receipt whose body was erased: when that was, and what is left of it.
import { useQuery } from "@tanstack/react-query";
import { Params } from "../inbox/Params";
import { moment } from "../text/time";
import type { Proof } from "./ledger";
import { bundle, type Receipt } from "./queries";

/** What is proven is shown; until then what the gateway says. */
export function Erased({ receipt, proven }: { receipt: Receipt; proven: Proof["left"] }) {
  const { data } = useQuery(bundle(receipt.id));
  const at = proven?.erasedAt ?? erasedAt(data ?? "");
  return (
    <div className="space-y-3">
      <p className="rounded-xl bg-sunk px-4 py-3 text-soft">
        {at === null ? "Its body was erased." : <>Its body was erased on <time dateTime={at}>{moment(at)}</time>.</>} What was asked for and what came of it is gone from the
        receipt, and its signature with it. Who did what, when, by whose leave and how it ended is left, and the ledger proves it.
      </p>
      <Params params={proven?.facts ?? (receipt.kept as { facts?: unknown } | null | undefined)?.facts} title="What is left of the receipt" />
    </div>
  );
}

/** What the entry of the erasure says; null where it says nothing. */
function erasedAt(text: string): string | null {
  try {
    const { erasure } = JSON.parse(text) as { erasure: { entry: { at: string } } };
    return Number.isNaN(Date.parse(erasure.entry.at)) ? null : erasure.entry.at;
  } catch {
    return null;
  }
}
