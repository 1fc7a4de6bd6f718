import { describe, expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { readCall } from "./call.ts";

const { db, oneBuyer, provider, stockOf } = useCheckout();
const say = (line: string, answer?: boolean) => command(db(), line.split(" "), answer);
const onHand = async (id: string) => (await stockOf(id)).onHand;

describe("stock add", () => {
  test("adds to the current stock and subtracts from it, whatever was sold meanwhile", async () => {
    const id = await makeProduct(db(), { M: 3 });
    expect(await say(`stock add ${id} M +5`)).toMatchObject({ code: 0, data: { was: 3, onHand: 8 } });
    expect(await say(`stock add ${id} M -2`)).toMatchObject({ code: 0, text: expect.stringContaining("8 -> 6") });
    expect(await onHand(id)).toBe(6);
  });

  test.each(["5.5", "+", "zero", "0", "--5"])("'%s' is no number to add", async (n) => {
    const id = await makeProduct(db(), { M: 3 });
    expect(await say(`stock add ${id} M ${n}`)).toMatchObject({ code: 2 });
    expect(await onHand(id)).toBe(3);
  });

  test("refuses to go below zero or below what running payments reserve", async () => {
    const { productId, payment } = await oneBuyer(3);
    expect(await say(`stock add ${productId} M -4`)).toMatchObject({ code: 2 });
    expect(await say(`stock add ${productId} M -3`)).toMatchObject({
      code: 2,
      text: expect.stringContaining("reserved for payments under way"),
    });
    expect(await onHand(productId)).toBe(3);
    provider.pay(payment.reference, { status: "abandoned" });
  });
});

describe("stock set", () => {
  test("shows the stock before and after", async () => {
    const id = await makeProduct(db(), { M: 3 });
    expect(await say(`stock set ${id} M 7`)).toMatchObject({ code: 0, text: `${id} M: 3 -> 7 in stock` });
  });

  test("with --was is refused if the stock is another number", async () => {
    const id = await makeProduct(db(), { M: 3 });
    expect(await say(`stock set ${id} M 7 --was 4`)).toMatchObject({ code: 2, text: expect.stringContaining("3 of") });
    expect(await say(`stock set ${id} M 7 --was many`)).toMatchObject({ code: 2 });
    expect(await onHand(id)).toBe(3);
    expect(await say(`stock set ${id} M 7 --was 3`)).toMatchObject({ code: 0 });
    expect(await onHand(id)).toBe(7);
  });

  test("asks if it removes more than half of a large stock", async () => {
    const id = await makeProduct(db(), { M: 120 });
    expect(await say(`stock set ${id} M 60`)).toMatchObject({ code: 0 });
    expect(await say(`stock set ${id} M 3`)).toMatchObject({ code: 2, text: expect.stringContaining("60 -> 3") });
    expect(await say(`stock add ${id} M -57`)).toMatchObject({ code: 2, text: expect.stringContaining("60 -> 3") });
    expect(await onHand(id)).toBe(60);
    expect(await say(`stock set ${id} M 3`, true)).toMatchObject({ code: 0 });
    expect(await say(`stock set ${id} M 0`), "of few, all may go").toMatchObject({ code: 0 });
  });

  test("asks if the stock grows tenfold and by a hundred or more", async () => {
    const id = await makeProduct(db(), { M: 12 });
    expect(await say(`stock set ${id} M 1200`)).toMatchObject({ code: 2, text: expect.stringContaining("12 -> 1200") });
    expect(await say(`stock add ${id} M +1188`)).toMatchObject({ code: 2 });
    expect(await onHand(id)).toBe(12);
    expect(await say(`stock set ${id} M 1200`, true)).toMatchObject({ code: 0 });
  });

  test.each([
    [0, 200],
    [12, 119],
    [5, 104],
  ])("does not ask about an increase from %i to %i", async (before, after) => {
    const id = await makeProduct(db(), { M: before });
    expect(await say(`stock set ${id} M ${after}`)).toMatchObject({ code: 0 });
  });

  test("a confirmation counts only for the stock that was shown", async () => {
    const id = await makeProduct(db(), { M: 60 });
    const sellsMeanwhile = async () => {
      await db().updateTable("productSizes").set({ supplied: 59 }).where("productId", "=", id).execute();
      return true;
    };
    const said = await readCall(["stock", "set", id, "M", "3"]).run(db(), OWNER, sellsMeanwhile);
    expect(said).toMatchObject({ code: 2, text: expect.stringContaining("59 of") });
    expect(await onHand(id)).toBe(59);
  });

  test("a product's stock history names who changed the stock, and why", async () => {
    const id = await makeProduct(db(), { M: 3 });
    await say(`stock add ${id} M +5 --reason delivery`);
    await say(`stock set ${id} M 6 --was 8 --reason counted`);
    expect((await say(`audit list --subject ${id}`)).data).toMatchObject({
      changes: [
        { action: "stock set", before: { sizes: { M: 8 } }, after: { sizes: { M: 6 }, reason: "counted" } },
        { action: "stock add", before: { sizes: { M: 3 } }, after: { sizes: { M: 8 }, reason: "delivery" } },
      ],
    });
  });
});

describe("stock show", () => {
  test("lists stock and reservations, of one product or of sizes below a number", async () => {
    const { productId, payment } = await oneBuyer(3);
    const many = await makeProduct(db(), { M: 100, L: 2 });
    const sizes = async (line: string) =>
      ((await say(line)).data as { stock: { id: string; size: string; onHand: number; held: number }[] }).stock;
    expect(await sizes(`stock show ${productId}`)).toMatchObject([{ size: "M", onHand: 3, held: 1 }]);
    expect((await sizes("stock show")).length).toBeGreaterThan(2);
    expect(await sizes(`stock show ${many} --below 3`)).toMatchObject([{ size: "L", onHand: 2 }]);
    expect(await sizes(`stock show ${many} --below 2`)).toEqual([]);
    expect(await say("stock show nothing")).toMatchObject({ code: 2 });
    expect(await say("stock show --below few")).toMatchObject({ code: 2 });
    provider.pay(payment.reference, { status: "abandoned" });
  });
});
