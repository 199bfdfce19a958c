// A browser may already be signed in, as the invited person or as someone else.
import { expect, it } from "vitest";
import { presence } from "./presence";

const invited = { email: "mara@example.com", org: "acme" };

it.each([
  [undefined, "nobody"],
  [{ email: "mara@example.com", org_slug: "acme" }, "here"],
  [{ email: "Mara@Example.com", org_slug: "acme" }, "here"],
  [{ email: "mara@example.com", org_slug: "other" }, "elsewhere"],
  [{ email: "tom@example.com", org_slug: "acme" }, "other"],
  [{ email: null, org_slug: null }, "other"],
] as const)("%o: %s", (me, is) => expect(presence(me, invited)).toBe(is));
