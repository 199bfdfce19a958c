// The types of the API, made from the OpenAPI document: `write` makes them anew, `compare` fails when they are old.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const document = new URL("../../schemas/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);
const head = "// The types of the API. Made from schemas/openapi.json by `npm run client`; do not edit.\n\n";

const text = head + astToString(await openapiTS(document, { alphabetize: true }));
if (process.argv[2] === "write") {
  await writeFile(target, text);
} else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
  console.error("src/api/schema.d.ts is not what schemas/openapi.json says; run `npm run client`");
  process.exit(1);
}
