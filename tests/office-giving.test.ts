vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const ask = useOfficePages();

let cookies: string[];
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "orders"));
});

async function sold(): Promise<{ address: string; reference: string }> {
  const { reference, orderId } = (await oneBuyer()).payment;
  provider.pay(reference);
  await settlePayment(reference);
  const row = db().selectFrom("orders").select("number").where("id", "=", orderId);
  return { address: `/orders/${(await row.executeTakeFirstOrThrow()).number}`, reference };
}

const refundsOf = (reference: string) =>
  db().selectFrom("refunds").select(["kobo", "cause"]).where("reference", "=", reference).execute();
/** What the shopper was told with the refund of this payment. */
async function toldOf(reference: string): Promise<unknown> {
  const mails = await db().selectFrom("outbox").select("data").where("kind", "=", "refund-started").execute();
  return mails.map(({ data }) => data as Record<string, unknown>).find((data) => data.reference === reference)?.words;
}

describe("cancelling an order", () => {
  test.each([
    ["without a reason", {}, "Choose a reason"],
    ["for another reason, and says none", { cause: "Other", words: " " }, "Write the reason. The shopper reads it"],
  ])("%s is refused, and nothing is changed", async (_, typed, problem) => {
    const { address, reference } = await sold();
    const { text } = await ask(`${address}?do=cancel`, cookies, { intent: "cancel", ...typed });
    expect(text).toContain(problem);
    expect(await refundsOf(reference)).toEqual([]);
  });

  test.each([
    ["Out of stock", "", "We’re sorry, it’s no longer in stock."],
    ["They asked for it", "See you soon!", "You asked us to cancel it. See you soon!"],
    ["Other", "The colour has faded.", "The colour has faded."],
  ])("because of “%s” and with the words “%s” tells the shopper why", async (cause, words, told) => {
    const { address, reference } = await sold();
    await ask(`${address}?do=cancel`, cookies, { intent: "cancel", cause, words });
    expect(await refundsOf(reference)).toMatchObject([{ cause }]);
    expect(await toldOf(reference)).toBe(told);
  });
});

describe("refunding an amount", () => {
  const give = (address: string, naira: string, key = randomUUID()) =>
    ask(`${address}?do=give`, cookies, { intent: "give", naira, key, cause: "Goodwill", words: "Sorry for the wait." });

  test.each([
    ["1,500", "150000"],
    ["₦1500.50", "150050"],
    ["39,50", "3950"],
  ])("typed as %s gives back %s kobo, for no item, with the words", async (typed, sum) => {
    const { address, reference } = await sold();
    expect((await give(address, typed)).text).toContain("goes back; the shopper is emailed.");
    expect(await refundsOf(reference)).toEqual([{ kobo: sum, cause: "Goodwill" }]);
    expect(await toldOf(reference)).toBe("Sorry for the wait.");
  });

  test.each([
    ["nothing", ""],
    ["a word", "all"],
    ["zero", "0"],
    ["what could be two numbers", "1.500"],
    ["dollars", "$5"],
    ["more than was paid", "9,000,000"],
  ])("typed as %s is refused", async (_, typed) => {
    const { address, reference } = await sold();
    const { text } = await give(address, typed);
    expect(text).not.toContain("goes back");
    expect(await refundsOf(reference)).toEqual([]);
  });

  test("pressed twice is once", async () => {
    const { address, reference } = await sold();
    const key = randomUUID();
    await Promise.all([give(address, "1,500", key), give(address, "1,500", key)]);
    expect(await refundsOf(reference)).toHaveLength(1);
  });
});
