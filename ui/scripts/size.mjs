// Measures what a browser fetches before the first page is drawn, compressed, and fails above the bar of 300 KB.
import { readFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";

const BAR = 300 * 1000;
const dist = new URL("../dist/", import.meta.url);
const html = await readFile(new URL("index.html", dist));
const names = [...html.toString().matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]);

let [plain, gzip, brotli] = [0, 0, 0];
for (const name of ["index.html", ...names]) {
  const bytes = await readFile(new URL(name, dist));
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  console.log(name.padEnd(36), ...sizes.map((size) => String(size).padStart(9)));
  plain += sizes[0];
  gzip += sizes[1];
  brotli += sizes[2];
}
console.log("bytes: plain, gzip, brotli".padEnd(36), ...[plain, gzip, brotli].map((n) => String(n).padStart(9)));
const pass = gzip <= BAR;
console.log(JSON.stringify({ bar: "first load", figure: gzip, unit: "bytes, gzip", pass }));
process.exit(pass ? 0 : 1);
