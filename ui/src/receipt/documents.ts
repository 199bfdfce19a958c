// The kinds of signed documents in the ledger, and how they differ. Everything else is verified in the same way.
import { CheckFailed } from "./checks";
import { type Fields, fieldsOf } from "./fields";

export interface DocumentKind {
  /** The `kind` of its log entry. */
  entry: "receipt" | "change";
  /** Its name in the checks. */
  noun: string;
  payloadType: string;
  version: string;
  /** The erasable parts, in the order of the commitment. Everything else is a fact. */
  parts: readonly string[];
  /** A part that older documents lack; the commitment of those does not cover it. */
  newestPart: string | null;
  /** Whether the log may prove the facts of a document whose body was erased. */
  mayBeErased: boolean;
  /** Whether it contains votes, with passkey signatures and shown documents. */
  hasVotes: boolean;
  /** The time of what it documents. The signing key must have been valid then. */
  time: (document: Fields) => unknown;
  /** What happened at that time: subject and verb. */
  event: readonly [string, string];
  checkFields: (document: Fields) => void;
}

export const RECEIPT: DocumentKind = {
  entry: "receipt",
  noun: "receipt",
  payloadType: "application/vnd.countersign.receipt+json",
  version: "countersign/receipt/v1",
  parts: ["error", "idempotency_key", "inputs", "outputs", "repair", "rollback", "verification", "shown"],
  newestPart: "shown",
  mayBeErased: true,
  hasVotes: true,
  time: (receipt) => fieldsOf(receipt.timing).finished_at,
  event: ["the invocation", "finished"],
  // Its fields are checked by the checks that use them.
  checkFields: () => undefined,
};

export const CHANGE: DocumentKind = {
  entry: "change",
  noun: "change record",
  payloadType: "application/vnd.countersign.change+json",
  version: "countersign/change/v1",
  parts: ["address", "after", "before", "name", "reason"],
  newestPart: null,
  mayBeErased: false,
  hasVotes: false,
  time: (change) => change.at,
  event: ["the change", "was made"],
  checkFields: checkChange,
};

/** Every field is always written. Further fields may be newer than this page; the signature covers them. */
function checkChange(change: Fields): void {
  const by = fieldsOf(change.by);
  const wrong = [
    ...["id", "org", "change", "subject", "name", "at"].filter((name) => !isText(change[name])),
    ...["address", "reason"].filter((name) => !isTextOrNull(change[name])),
    ...["before", "after"].filter((name) => change[name] === undefined),
    ...(isText(by.method) && isTextOrNull(by.user) && isTextOrNull(by.token) ? [] : ["by"]),
  ];
  if (wrong.length > 0) throw new CheckFailed(`missing or invalid fields: ${wrong.join(", ")}`, "change_fields");
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || isText(value);
