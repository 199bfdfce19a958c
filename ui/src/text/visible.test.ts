// What is shown decodes back to the exact string, and nothing hidden or deceptive is shown as it is.
import { describe, expect, it } from "vitest";
import { HOSTILE, INVISIBLE } from "./hostile";
import { block, clip, decode, excerpt, isHidden, line, plain } from "./visible";

const text = (shown: { pieces: { shown: string }[] }) => shown.pieces.map((piece) => piece.shown).join("");

describe("hostile texts", () => {
  it("are more than two hundred", () => expect(new Set(HOSTILE).size).toBeGreaterThan(300));

  it.each(HOSTILE.map((hostile, index) => [index, hostile] as const))("%i decodes back exactly", (_, hostile) => {
    expect(decode(block(hostile).pieces)).toBe(hostile);
    expect(decode(line(hostile).pieces)).toBe(hostile);
  });

  it("leave nothing on the page that cannot be seen", () => {
    for (const hostile of HOSTILE) {
      const escaped = block(hostile)
        .pieces.map((piece) => (piece.kind === "line" ? "⏎" : piece.shown))
        .join("");
      expect(Array.from(escaped).filter(isHidden)).toEqual([]);
      expect(text(line(hostile))).not.toMatch(/\n/);
    }
  });

  it("hide behind no padding", () => {
    for (const hostile of HOSTILE) expect(text(block(hostile))).not.toMatch(/([^0-9])\1{40}/u);
    expect(text(block(`hello${" ".repeat(1_048_576)}rm -rf /`))).toBe("hello⟨1048576 blanks⟩rm -rf /");
    expect(text(block(`x${" \n\u3000".repeat(400_000)}y`))).toBe("x⟨400000 × \\u{20}\\n\\u{3000}⟩y");
  });
});

describe("a text", () => {
  it("has every invisible character marked", () => {
    for (const char of INVISIBLE) {
      const { pieces } = line(`a${char}b`);
      expect(pieces.map((piece) => piece.kind)).toEqual(["text", "hidden", "text"]);
    }
  });

  it("that looks like an escape is not marked as one", () => {
    expect(block("\\u{202e}\u202e").pieces).toEqual([
      { kind: "text", shown: "\\u{202e}" },
      { kind: "hidden", shown: "\\u{202e}" },
    ]);
  });

  it("stays as it is where everything can be seen", () => {
    for (const fine of ["plain, größe 😀 中文", "e\u0301", "two  spaces"]) {
      expect(block(fine)).toEqual({ pieces: [{ kind: "text", shown: fine }], hidden: 0, padding: 0, mixed: [] });
    }
  });

  it("written from right to left stands apart, so that it moves nothing else", () => {
    expect(block("abc אבג 123").pieces.map((piece) => piece.kind)).toEqual(["text", "rtl", "text"]);
  });

  it("tells words that mix scripts which look alike", () => {
    expect(block("раураl.com and Москва and paypal").mixed).toEqual(["раураl"]);
  });

  it("is one plain line for a name", () => expect(plain("a\nb\u200b")).toBe("a\\nb\\u{200b}"));

  it("that is too long keeps its beginning and its end", () => {
    const { head, left, tail } = clip(block(`BEGIN${"ab".repeat(5000)}END`).pieces, 90);
    expect(head[0]?.shown.startsWith("BEGINab")).toBe(true);
    expect(tail.at(-1)?.shown.endsWith("abEND")).toBe(true);
    expect(left).toBe(10_008 - 90);
  });

  it("begins as it does, and tells what is left out", () => {
    for (const hostile of HOSTILE) {
      const { pieces, left } = excerpt(hostile, 20);
      const begun = decode(pieces);
      expect(hostile.startsWith(begun)).toBe(true);
      expect(begun.length + left).toBe(hostile.length);
      expect(begun.length).toBeLessThanOrEqual(20);
    }
    expect(excerpt("😀".repeat(9), 3)).toEqual({ pieces: [{ kind: "text", shown: "😀" }], left: 16 });
  });
});
