// What is on the page, looked at from inside of it, and judged from outside.
import { createServer } from "vite";

const vite = await createServer({
  server: { middlewareMode: true },
  appType: "custom",
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
});
const { HOSTILE } = await vite.ssrLoadModule("/src/text/hostile.ts");
const { decode, line } = await vite.ssrLoadModule("/src/text/visible.ts");
await vite.close();

export { decode, HOSTILE, line };

/** Unfolds everything, then tells every text that is shown, and everything that has no business on the page. */
export function look() {
  document.querySelectorAll("main details").forEach((each) => {
    each.open = true;
  });
  for (let rounds = 0; rounds < 200; rounds += 1) {
    const fold = [...document.querySelectorAll("button.mark")].filter((button) =>
      /hidden here/.test(button.textContent),
    );
    if (fold.length === 0) break;
    fold.forEach((button) => button.click());
  }
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(see()))));

  function see() {
    const pieces = (element) =>
      [...element.querySelectorAll("[data-kind]")].map((piece) => ({
        kind: piece.dataset.kind,
        shown: piece.textContent,
      }));
    const shown = [...document.querySelectorAll("[data-shown]")].map((element) => ({
      pieces: pieces(element),
      text: element.textContent,
    }));
    const begun = [...document.querySelectorAll("[data-begins]")].map((element) => ({
      pieces: pieces(element),
      says: /⟨\d+ more⟩$/.test(element.textContent),
    }));
    // Written apart from what draws: controls, formats, unassigned and blank characters that nobody sees.
    const unseen =
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u2000-\u200a\u3000]/u;
    const hidden = [];
    for (let walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode(); ) {
      const text = walk.currentNode.data.replaceAll("\n", "");
      if (unseen.test(text)) hidden.push(text.slice(0, 60));
    }
    for (const element of document.body.querySelectorAll("[title],[aria-label],[href],[id]")) {
      for (const name of ["title", "aria-label", "href", "id"])
        if (unseen.test(element.getAttribute(name) ?? "")) hidden.push(`${name} of ${element.tagName}`);
    }
    const tags = "script style iframe object video base link meta math animate".split(" ");
    const others = ["img:not([src='/icon.svg'])", "a[href*='evil']", "a[ping]", "form[action]"];
    const strange = [...tags, ...others].map((each) => `#root ${each}`).join();
    return {
      shown,
      begun,
      hidden,
      elements: [...document.querySelectorAll(strange)].map((each) => each.outerHTML.slice(0, 80)),
    };
  }
}

/** The exact texts that stand on the page, as a set. */
export function texts(seen) {
  const out = new Set();
  for (const { pieces, text } of seen.shown) {
    // A text has nothing besides its pieces; otherwise something of ours could be taken for a part of it.
    if (pieces.map((piece) => piece.shown).join("") === text) out.add(decode(pieces));
  }
  return out;
}

/** Whether each text of a list begins as one that was sent, and says so when it does not end as that. */
export function beginnings(seen, sent) {
  return seen.begun.filter(({ pieces, says }) => {
    const text = decode(pieces);
    return !sent.some((each) => (says ? each.length > text.length && each.startsWith(text) : each === text));
  });
}
