import { describe, expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { asked, delivered } from "#tests/support/returns.ts";

const checkout = useCheckout();
const { db, refundsOf } = checkout;
const say = (...words: string[]) => command(db(), ["returns", ...words]);

test.each([
  ["nothing", []],
  ["another action", ["burn", "RT-7K3M-2Q"]],
  ["an order's number", ["show", "IR-7K3M-2Q"]],
  ["an unknown number", ["show", "RT-7K3M-2Q"]],
  ["an unknown number to refund", ["refund", "RT-7K3M-2Q"]],
  ["an unknown number to approve", ["approve", "RT-7K3M-2Q"]],
  ["another state", ["list", "lost"]],
  ["no reason", ["decline", "RT-7K3M-2Q"]],
  ["the shipping both ways", ["refund", "RT-7K3M-2Q", "--with-shipping", "--without-shipping"]],
  ["no pieces", ["refund", "RT-7K3M-2Q", "--piece", "eko-jersey:M:0"]],
  ["no sum", ["refund", "RT-7K3M-2Q", "--amount", "many"]],
])("%s is bad input, said in a line", async (_, words) => {
  const { code, text } = await say(...words);
  expect([code, text.split("\n").length]).toEqual([2, 1]);
});

describe("from the request to the end", () => {
  test("the refund's sum needs a confirmation, and a repetition does nothing", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const number = await asked(db(), sale);
    expect((await say("list", "asked")).text).toContain(`${number}  IR-`);
    expect(await say("approve", number.toLowerCase(), "--message", "Send it to 1 Broad Street")).toMatchObject({
      code: 0,
    });
    expect(await say("receive", number)).toMatchObject({ code: 0 });
    expect((await say("list")).text).toMatch(new RegExp(`${number}.*received.*money.*1 piece .*due by \\d{4}-`));
    expect(await say("refund", number)).toMatchObject({ code: 2, text: expect.stringContaining("₦79,984") });
    expect(await refundsOf(sale.reference)).toEqual([]);
    expect(await say("refund", number, "--restock", "--yes")).toMatchObject({ code: 0 });
    expect(await say("refund", number, "--yes")).toMatchObject({ code: 2 });
    expect(await refundsOf(sale.reference)).toMatchObject([{ kobo: "7998400", restock: true }]);
    expect((await say("show", number)).data).toMatchObject({
      return: { state: "done", refundKobo: 7_998_400, words: "See the pictures" },
    });
    expect((await say("list", "--overdue")).text).toBe("0 returns");
  });

  test("only the pieces that arrived are refunded", async () => {
    const sale = await delivered(checkout, { quantity: 2 });
    const number = await asked(db(), sale, { quantity: 2 });
    await say("approve", number);
    await say("receive", number);
    const piece = ["--piece", `${sale.productId}:M:1`];
    expect(await say("refund", number, "--piece", `${sale.productId}:M:3`, "--yes")).toMatchObject({
      code: 2,
      text: expect.stringContaining("only 2 are in this return"),
    });
    expect((await say("refund", number, ...piece)).text).toContain("Left out, and still sold: 1 × Home Jersey");
    expect(await say("refund", number, ...piece, "--restock", "--yes")).toMatchObject({
      code: 0,
      text: `${number}: ₦79,984 goes back for 1 of 2 pieces; the shopper is emailed`,
    });
    expect(await refundsOf(sale.reference)).toMatchObject([{ kobo: "7998400", pieces: [{ quantity: 1 }] }]);
  });

  test("an exchange is refunded instead, or sent with a carrier", async () => {
    const [one, two] = [
      await asked(db(), await delivered(checkout), { newSize: "L" }),
      await asked(db(), await delivered(checkout), { newSize: "L" }),
    ];
    await say("approve", one, "--keep", "--money");
    expect(await say("exchange", one)).toMatchObject({ code: 2, text: expect.stringContaining("returns refund") });
    await say("approve", two);
    await say("receive", two);
    expect(await say("exchange", two, "--carrier", "GIG", "--tracking", "G-1", "--restock")).toMatchObject({ code: 0 });
    expect((await say("show", two)).data).toMatchObject({
      return: { carrier: "GIG", tracking: "G-1", restocked: true },
    });
  });
});
