import { expect, test } from "vitest";
import { checkoutProvider, providerOf } from "#app/providers/registry.server.ts";
import { isByHand, MEANS, readBankReference } from "./means.ts";

test.each([
  ["FT26112/77", "FT26112/77"],
  ["  ft 2611\t77 ", "ft 2611 77"],
  ["1234", "1234"],
  ["12-3", undefined],
  ["", undefined],
  ["—–—–—–", undefined],
  ["перевод 1234", undefined],
  ["x".repeat(65), undefined],
])("the bank's reference '%s' is read as %s", (typed, read) => {
  expect(readBankReference(typed)).toBe(read);
});

test.each(MEANS)("%s is never offered at the checkout, and opens no page", async (means) => {
  expect(isByHand(checkoutProvider.description.id)).toBe(false);
  const request = { email: "ada@example.com", kobo: 100, reference: "x".repeat(20), customFields: [] };
  const pages = { referrer: "", callbackUrl: "", cancelUrl: "" };
  const customer = { firstName: "Ada", lastName: "Obi", phone: "" };
  expect(await providerOf(means).open({ ...request, ...pages, customer })).toMatchObject({ failure: "rejected" });
});
