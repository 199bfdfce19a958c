// What happens to a flow, also where flows are only observed and where the gateway is newer than the page.
import { expect, it } from "vitest";
import { ANY_PLACE, destinationText, outcomeOf, withFlows } from "./flow";

const text = (mode: string, consented = false, holds = true) => outcomeOf({ mode, consented }, holds).text;

it("says whether a person is asked", () => {
  expect(text("require_approval")).toBe("A person is asked each time");
  expect(text("deny")).toBe("It is denied");
  expect(text("allow")).toBe("Nothing is asked");
  expect(text("allow", true)).toBe("An admin consented");
});

it("does not say that a flow is held while flows are only observed", () => {
  expect(text("require_approval", false, false)).toBe("A person would be asked each time");
  expect(text("deny", false, false)).toBe("It would be denied");
  expect(text("allow", true, false)).toBe("An admin consented");
  expect(text("allow", false, false)).toBe("Nothing is asked");
});

it("says that a flow is asked about or denied, also after a consent", () => {
  expect(text("require_approval", true)).toBe("A person is asked each time");
  expect(text("deny", true)).toBe("It is denied");
});

it("shows an unknown mode as it is", () => {
  expect(text("ponder")).toBe("ponder");
  expect(text("constructor", true, false)).toBe("constructor");
});

it("says what a consent to every destination is", () => {
  expect(destinationText("*")).toBe(ANY_PLACE);
  expect(destinationText("C0123")).toBe("C0123");
});

it("shows what a flow demands of a step where that is stricter and flows are held", () => {
  const step = (mode: string) => ({ step_id: "tell", action: "slack.send_message", mode, reason: "a rule" });
  const found = (mode: string, holds = true) =>
    ({ holds, flows: [{ step_id: "tell", mode, why: "private" }] }) as never;
  const mode = (of: string, flow: string, holds?: boolean) => withFlows([step(of)], found(flow, holds))[0]?.mode;
  expect(withFlows([step("allow")], found("require_approval"))[0]).toMatchObject({
    mode: "require_approval",
    reason: "private",
  });
  expect([mode("deny", "require_approval"), mode("require_approval", "allow")]).toEqual(["deny", "require_approval"]);
  expect([mode("allow", "deny", false), mode("newer", "deny"), mode("allow", "newer")]).toEqual([
    "allow",
    "newer",
    "allow",
  ]);
  expect(withFlows([step("allow")], undefined)).toEqual([step("allow")]);
});
