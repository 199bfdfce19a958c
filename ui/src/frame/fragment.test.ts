// A secret in the fragment leaves the address bar, and only on the pages that are opened with one.
import { expect, it, vi } from "vitest";
import { takeFragment } from "./fragment";

const open = (url: string) => {
  const replaceState = vi.fn();
  const taken = takeFragment(new URL(url, "https://gate.example.com"), { state: { key: "1" }, replaceState });
  return { taken, replaceState };
};

it.each([
  ["/join#ivk_abc", "ivk_abc", "/join"],
  ["/join/#ivk_abc", "ivk_abc", "/join/"],
  ["/connect?x=1#code=a%2Fb&state=s", "code=a%2Fb&state=s", "/connect?x=1"],
])("takes the fragment of %s", (url, fragment, left) => {
  const { taken, replaceState } = open(url);
  expect(taken).toBe(fragment);
  expect(replaceState).toHaveBeenCalledExactlyOnceWith({ key: "1" }, "", left);
});

it.each(["/join", "/join#", "/policy#rules", "/joined#x", "/inbox/join#x"])("leaves %s as it is", (url) => {
  const { taken, replaceState } = open(url);
  expect(taken).toBeNull();
  expect(replaceState).not.toHaveBeenCalled();
});
