// Names get braces where they need some; filters go behind what they change.
import { expect, it } from "vitest";
import { insertFilter, insertName, isWithin } from "./insert";

it("puts braces around a name, but not twice", () => {
  expect(insertName("Hello ", 6, 6, "inputs.who")).toEqual({ text: "Hello {{ inputs.who }}", at: 22 });
  expect(insertName("Hello {{  }}!", 9, 9, "inputs.who").text).toBe("Hello {{ inputs.who }}!");
  expect(insertName("old text", 0, 8, "run.id").text).toBe("{{ run.id }}");
});

it("knows what is within", () => {
  expect(["{{ a }} b", "{{ a }} {% if", "{{ a"].map((text) => isWithin(text, text.length))).toEqual([
    false,
    true,
    true,
  ]);
});

it("puts a filter into the expression before the cursor", () => {
  expect(insertFilter("{{ a }} and", 11, "upper")).toEqual({ text: "{{ a | upper }} and", at: 12 });
  expect(insertFilter("{{ a }}{{ b }}", 4, "upper").text).toBe("{{ a | upper }}{{ b }}");
  expect(insertFilter("text", 4, "upper").text).toBe('text{{ "" | upper }}');
});
