// Fails when a line of a source or test file is longer than 120 characters. Biome does not break strings.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const LONGEST = 120;
const root = fileURLToPath(new URL("..", import.meta.url));
let found = 0;
for (const folder of ["src", "tests", "scripts"]) {
  for (const name of await readdir(join(root, folder), { recursive: true })) {
    // schema.d.ts is generated.
    if (!/\.(tsx?|mjs|css)$/.test(name) || name.endsWith("schema.d.ts")) continue;
    const lines = (await readFile(join(root, folder, name), "utf8")).split("\n");
    for (const [at, line] of lines.entries()) {
      if ([...line].length <= LONGEST) continue;
      console.error(`${folder}/${name}:${at + 1} has ${[...line].length} characters; the limit is ${LONGEST}`);
      found += 1;
    }
  }
}
process.exit(found === 0 ? 0 : 1);
