// Complete IDs lead to their page; anything else is a name.
import { expect, it } from "vitest";
import { jump } from "./jump";

it("knows ids by their beginning", () => {
  const rest = "01a1e0ab1cec7781bbb5bf5228241836";
  expect(jump(` inv_${rest} `)).toEqual({ kind: "invocation", id: `inv_${rest}` });
  expect(jump(`RCP_${rest.toUpperCase()}`)).toEqual({ kind: "receipt", id: `rcp_${rest}` });
  expect(jump(`chg_${rest}`)).toEqual({ kind: "change", id: `chg_${rest}` });
  for (const other of ["inv_1", `tok_${rest}`, "runs", `inv_${rest}0`, `inv_${rest}/../x`])
    expect(jump(other)).toBeNull();
});
