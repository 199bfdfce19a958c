// The Merkle tree of RFC 6962: leaf hashes and roots from proofs.
import { type Bytes, sha256 } from "../bytes";

const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

export function leaf(entry: Bytes): Promise<Bytes> {
  return sha256(LEAF, entry);
}

export function node(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(NODE, left, right);
}

/** The root that an inclusion proof leads to (RFC 9162, 2.1.3.2); null if the proof has the wrong length. */
export async function rootFrom(hash: Bytes, index: number, size: number, proof: Bytes[]): Promise<Bytes | null> {
  if (index >= size) return null;
  // No bit shifts: a log may have more than 2^32 entries.
  let [place, last, root] = [index, size - 1, hash];
  const up = () => ([place, last] = [Math.floor(place / 2), Math.floor(last / 2)]);
  for (const sibling of proof) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      root = await node(sibling, root);
      // On the right edge a node without a sibling is its own parent.
      while (place % 2 === 0 && place !== 0) up();
    } else {
      root = await node(root, sibling);
    }
    up();
  }
  return last === 0 ? root : null;
}
