// A third party with a receipt file: both verifiers of docs/verify.md, on the bundle of an approval that was signed in
// the browser, and on the same bundle with one changed word in what the person was shown.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const home = process.env.HOME;
const target = process.env.CARGO_TARGET_DIR ?? `${home}/.cache/countersign/target`;
const tools = process.env.COUNTERSIGN_TOOLS_DIR ?? `${home}/.cache/countersign/tools`;
const script = new URL("../../examples/verify/verify.py", import.meta.url).pathname;
const VERIFIERS = [
  [`${target}/debug/countersign`, ["receipts", "verify"]],
  [`${tools}/py/bin/python3`, [script, "receipts"]],
];

/** Changes a word of the document inside the signed receipt. */
export function withWord(bundle, from, to) {
  const forged = structuredClone(bundle);
  const payload = Buffer.from(forged.record.envelope.payload, "base64").toString();
  const at = payload.indexOf(from, payload.indexOf('"shown":['));
  assert.ok(at > 0, `the document does not say "${from}"`);
  const changed = payload.slice(0, at) + to + payload.slice(at + from.length);
  forged.record.envelope.payload = Buffer.from(changed).toString("base64");
  return forged;
}

export async function verifiedByOthers(bundle, keys, [from, to]) {
  const folder = await mkdtemp(join(tmpdir(), "third-party-"));
  const file = (name, value) => writeFile(join(folder, name), JSON.stringify(value));
  await Promise.all([
    file("keys.json", keys),
    file("receipt.json", bundle),
    file("forged.json", withWord(bundle, from, to)),
  ]);
  try {
    for (const [program, args] of VERIFIERS) {
      const verify = (name) => run(program, [...args, name, "--keys", "keys.json"], { cwd: folder });
      const { stdout } = await verify("receipt.json");
      assert.match(stdout, /shown document of 1 of 1 votes/, program);
      await assert.rejects(verify("forged.json"), ({ code }) => code === 1, `${program} took a changed word`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
