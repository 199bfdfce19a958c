// Problems with passkeys say what to do.
import { expect, it } from "vitest";

// The page this would run on.
Object.assign(globalThis, {
  location: { origin: "http://localhost:9461", host: "localhost:9461", hostname: "localhost", port: "9461" },
});
const { passkeyProblem, explainError } = await import("./ceremony");

const at = (host: string, isThere = true, isSecure = true) => {
  const { hostname, port } = new URL(`http://${host}`);
  return passkeyProblem({ host, hostname, port }, isThere, isSecure)?.problem;
};

it("sends whoever opened it at an address of numbers to its name", () => {
  expect(at("127.0.0.1:9461")?.hint).toBe("open http://localhost:9461 instead");
  expect(at("[::1]:9461")?.hint).toBe("open http://localhost:9461 instead");
  expect(at("10.0.0.7")?.hint).toBe("open the gateway by its host name, with https");
  expect(at("localhost:9461")).toBeUndefined();
  expect(at("gate.example.com")).toBeUndefined();
});

it("tells a page without https from a browser without passkeys", () => {
  expect(at("gate.example.com", false, false)?.title).toBe("Passkeys need https");
  expect(at("gate.example.com", false)?.title).toBe("This browser does not support passkeys");
});

it("says of a failed ceremony what the browser lets one know", () => {
  const said = (name: string) => explainError(new DOMException("", name)).problem.title;
  expect(said("NotAllowedError")).toBe("Cancelled");
  expect(said("InvalidStateError")).toBe("This device already has one of your passkeys");
  expect(said("SecurityError")).toBe("Wrong address for passkeys");
  expect(explainError(new Error("no")).problem.detail).toBe("Message from the device: no.");
});
