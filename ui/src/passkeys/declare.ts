// Signs what the signed-in person declares now.
import type { Schemas } from "../api/client";
import { me, queries } from "../api/queries";
import type { Bytes } from "../receipt/bytes";
import { signWith } from "./ceremony";
import { credentialsOf } from "./queries";
import { type Declaration, wholeSeconds } from "./statement";

export async function declare(
  challenge: (declaration: Declaration) => Promise<Bytes>,
  end: AbortSignal,
): Promise<Schemas["SignedRequest"]> {
  const { org, user } = await queries.fetchQuery(me);
  const at = wholeSeconds(Date.now());
  const signer = user ?? "";
  return { at, ...(await signWith(await credentialsOf(signer), await challenge({ at, org, user: signer }), end)) };
}
