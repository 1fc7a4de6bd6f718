import { expect, test } from "vitest";
import { get } from "#app/routes/api.currency.ts";

const from = (address: string) => new Request("http://shop/api/currency", { headers: { "x-irepo-client": address } });

test.each([
  ["Nigeria", "197.210.64.1", "NGN"],
  ["another country", "8.8.8.8", "USD"],
  ["an unknown country", "127.0.0.1", null],
])("the currency starts USD and becomes NGN when the detected country is Nigeria: %s", async (_, address, currency) => {
  expect(await get(from(address))).toEqual({ json: { currency } });
});
