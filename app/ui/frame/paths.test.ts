import { expect, test } from "vitest";
import { canonicalPath } from "./paths.ts";

test.each([
  ["/", "/"],
  ["/cart", "/Cart"],
  ["/CART/", "/Cart"],
  ["/ForgotPassword", "/forgotPassword"],
  ["/SINGLEPRODUCT/unity-home-jersey", "/singleProduct/unity-home-jersey"],
  ["/singleProduct/-", undefined],
  ["/Collections/Owambe", "/collections/owambe"],
  ["/collections/-", undefined],
  ["/order/abc", undefined],
  ["/no-such-page", undefined],
])("the canonical path of %s is %s", (pathname, canonical) => {
  expect(canonicalPath(pathname)).toBe(canonical);
});
