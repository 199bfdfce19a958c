// A receipt whose content was erased: when, and which facts remain.
import { useQuery } from "@tanstack/react-query";
import type { Proof } from "../receipt/ledger/ledger";
import { Params } from "../text/Params";
import { moment } from "../text/time";
import { bundle, type Receipt } from "./queries";

/** Shows proven facts, or the gateway's until they are verified. */
export function ErasedReceipt({ receipt, proven }: { receipt: Receipt; proven: Proof["left"] }) {
  const { data } = useQuery(bundle(receipt.id));
  const at = proven?.erasedAt ?? erasedAt(data ?? "");
  return (
    <div className="space-y-3">
      <p className="rounded-xl bg-sunk px-4 py-3 text-soft">
        {at === null ? (
          "The content of this receipt was erased at the end of the retention."
        ) : (
          <>
            The content of this receipt was erased on <time dateTime={at}>{moment(at)}</time> at the end of the
            retention.
          </>
        )}{" "}
        Inputs, outputs and the signature are gone. The ledger still proves who did what, when, who approved it and how
        it ended.
      </p>
      <Params
        params={proven?.facts ?? (receipt.kept as { facts?: unknown } | null | undefined)?.facts}
        title="Remaining facts"
      />
    </div>
  );
}

function erasedAt(text: string): string | null {
  try {
    const { erasure } = JSON.parse(text) as { erasure: { entry: { at: string } } };
    return Number.isNaN(Date.parse(erasure.entry.at)) ? null : erasure.entry.at;
  } catch {
    return null;
  }
}
