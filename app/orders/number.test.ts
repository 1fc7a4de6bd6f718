import { sql } from "kysely";
import { expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { readOrderNumber, readReturnNumber } from "./number.ts";

const { db, oneBuyer } = useCheckout();

test.each([
  ["IR-7K3M-2Q", "IR-7K3M-2Q"],
  [" ir 7k3m 2q ", "IR-7K3M-2Q"],
  ["IR7KLM2O", "IR-7K1M-20"],
  ["IR-7K3M-2", undefined],
  ["IR-7K3U-2Q", undefined],
  ["7K3M-2Q", undefined],
  ["no IR-7K3M-2Q", undefined],
  ["IR-7K3M-2Q9", undefined],
  ["f".repeat(32), undefined],
])("'%s' is read as %s", (said, number) => {
  expect(readOrderNumber(said)).toBe(number);
});

test("a return's number is read alike, and neither is taken for the other", () => {
  expect([readReturnNumber("rt 7k3m 2q"), readReturnNumber("IR-7K3M-2Q"), readOrderNumber("RT-7K3M-2Q")]).toEqual([
    "RT-7K3M-2Q",
    undefined,
    undefined,
  ]);
});

test("S39 each order gets a number of its own, which does not tell how many there were", async () => {
  const orders = [await oneBuyer(), await oneBuyer(), await oneBuyer()].map(({ payment }) => payment.orderId);
  const rows = await db().selectFrom("orders").select("number").where("id", "in", orders).execute();
  const numbers = rows.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(3);
  for (const number of numbers) expect(readOrderNumber(number)).toBe(number);
  expect(new Set(numbers.map((number) => number.slice(3, 5))).size).toBeGreaterThan(1);
});

test("no two numbers are the same, from the first to the last", async () => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct order_number(n))::int as count
    from (select generate_series(0, 50000) union all select generate_series(1073691823, 1073741823)) as counted(n)
  `.execute(db());
  expect(rows).toEqual([{ count: 100_002 }]);
});
