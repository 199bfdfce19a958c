// Whether everybody can use a page: the serious findings of axe, none of which may be.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { DESK, PHONE } from "./kit.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each width and each colour scheme once: what axe finds depends on the one or on the other. */
export const LOOKS = [
  { colorScheme: "light", viewport: DESK },
  { colorScheme: "dark", viewport: PHONE },
];

export async function serious(page) {
  // What is being fetched pulses, and is as pale as it likes for as long.
  await page.waitForFunction(() => document.querySelector(".animate-pulse") === null);
  // By the debugger, because the page's own policy allows no script of ours.
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  return found.violations
    .filter((each) => each.impact === "serious" || each.impact === "critical")
    .map((each) => [each.id, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]);
}

/** Checks an open page in each look: nothing serious, and nothing wider than the window. It is left as on a desk. */
export async function everybodyCan(page, what) {
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(
      (await serious(page)).map((each) => [what, colorScheme, ...each]),
      [],
    );
    assert.ok(
      await page.evaluate(() =>
        [...document.querySelectorAll("html, #main, [role=dialog]")].every(
          (each) => each.scrollWidth <= each.clientWidth,
        ),
      ),
      `${what}: something is wider than ${viewport.width} pixels`,
    );
  }
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
}
