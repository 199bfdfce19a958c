// Checks the documents that people were shown before they voted, as the receipt keeps them.
import { hex, sha256, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { CheckFailed } from "./checks";
import { type Fields, fieldsOf } from "./fields";

/** The fields that a document shares with the receipt: the name in the document, and in the receipt. */
const SHARED = [
  ["org", "org"],
  ["invocation", "invocation"],
  ["action", "action"],
  ["subject", "shown_digest"],
] as const;

const list = (value: unknown) => (Array.isArray(value) ? value : []).map(fieldsOf);

/** The digest that a vote names. */
export async function shownDigest(document: unknown): Promise<string> {
  return `sha256:${hex(await sha256(utf8(canonical(document))))}`;
}

/** Checks that every document belongs to a vote and to this receipt; returns the result in words. */
export async function checkShown(receipt: Fields): Promise<string> {
  const votes = list(receipt.approvals);
  const kept = new Set<string>();
  for (const document of list(receipt.shown)) {
    const digest = await shownDigest(document);
    const isOwn = SHARED.every(([its, own]) => document[its] === receipt[own]);
    if (!isOwn || !votes.some((vote) => vote.shown_digest === digest))
      throw new CheckFailed(
        "a shown document belongs to none of the votes, or to another invocation",
        "shown_document",
      );
    kept.add(digest);
  }
  const documented = votes.filter((vote) => kept.has(String(vote.shown_digest))).length;
  if (votes.length === 0) return "nobody voted";
  return `kept for ${documented} of ${votes.length} ${votes.length === 1 ? "vote" : "votes"}`;
}
