import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { NOBODY } from "#app/infra/mail.server.ts";
import { usdCents } from "#app/money/money.ts";
import { toSaleDocument } from "#app/orders/document.ts";
import { renderers } from "#app/orders/emails.tsx";
import { listSold } from "#app/orders/history.server.ts";
import { lastShipping } from "#app/orders/lifecycle.server.ts";
import { readSaleDocument } from "#app/orders/past/sale.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { refundAgreed } from "#app/owner/orders/refunds/refunds.server.ts";
import { searchOrders } from "#app/owner/orders/search.server.ts";
import { giveByHand } from "#app/payments/by-hand/give.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { makeOffer } from "#tests/support/offers.ts";
import { makeProduct, makeShopper, putInCart, type Shopper } from "#tests/support/shop.ts";
import { priceAsked } from "../links/new.server.ts";
import { lastStall } from "./last.server.ts";
import { readAtStall, type StallSale, sellAtStall } from "./sell.server.ts";

const checkout = useCheckout({ max: 30 });
const { db, pay, catchUp, stockOf, salesOf, mailsAbout } = checkout;
const PRICE = 49.99 * 1600 * 100;

let productId: string;
let user: Shopper;

beforeEach(async () => {
  productId = await makeProduct(db(), { M: 6 });
  user = await makeShopper(db());
});

const sell = (more: Partial<StallSale> = {}, by = OWNER) =>
  sellAtStall(db(), by, {
    ...{ units: [{ productId, size: "M", quantity: 1 }], stall: "Yaba market", means: "cash", kobo: PRICE },
    ...{ email: "", phone: "", name: "" },
    ...more,
  });
const saleOf = (number: string) =>
  db()
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .selectAll("sales")
    .where("number", "=", number)
    .executeTakeFirstOrThrow();

describe("a sale at a stall", () => {
  test("is paid and delivered at that moment, with a customer who stays unknown", async () => {
    const { number, what } = await sell();
    expect(what).toBe(`${number}: ₦79,984 taken: cash`);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 1 });
    const sale = await saleOf(number);
    expect(sale).toMatchObject({ userId: null, email: "", kobo: String(PRICE), shippingCents: 0 });
    for (const step of ["packedAt", "readyAt", "fulfilledAt", "deliveredAt"] as const)
      expect(sale[step]).toEqual(sale.createdAt);
    expect(sale.shipping).toMatchObject({
      deliveryType: "Pick-up",
      pickupCenter: "Yaba market",
      location: "Yaba market",
    });
    const mails = db()
      .selectFrom("outbox")
      .select(["recipient", "state"])
      .where("idempotencyKey", "=", `sale:${sale.id}`);
    expect(await mails.execute()).toEqual([{ recipient: NOBODY, state: "failed" }]);
    expect(await orderHistory(db(), number)).toContainEqual(
      expect.objectContaining({ title: "Sold at a stall", text: "₦79,984 taken: cash." }),
    );
    expect((await orderHistory(db(), number)).map(({ title }) => title).toSorted()).toEqual([
      "Paid ₦79,984",
      "Sold at a stall",
    ]);
    const { rows } = await searchOrders(db(), { view: "to-send", text: number });
    expect(rows).toEqual([]);
    expect(await lastStall(db())).toBe("Yaba market");
  });

  test("is in the account of the customer whose address it names, and the receipt is mailed", async () => {
    const { number } = await sell({ email: user.email.toUpperCase(), phone: "+234 803 123 4567", name: "Ada Obi" });
    expect(await salesOf(user)).toMatchObject([{ email: user.email }]);
    const { reference, shipping } = await saleOf(number);
    expect(shipping).toMatchObject({ phoneNumber: "08031234567", firstName: "Ada Obi" });
    expect(await mailsAbout(reference)).toEqual(["order-confirmation"]);
    const { data } = await db()
      .selectFrom("outbox")
      .select("data")
      .where("recipient", "=", user.email)
      .executeTakeFirstOrThrow();
    const mail = await renderers["order-confirmation"]?.(data, {
      url: "http://shop.example",
      contact: "",
      numbers: undefined,
    });
    expect(mail?.text).toContain(`This is your receipt for order ${number}`);
    expect(mail?.text).not.toMatch(/leaves us|pick it up|Yaba/);
  });

  test("has the specification's document, which is imported again as it was", async () => {
    await sell({ email: user.email });
    const [sold] = await listSold(db(), user.id);
    if (!sold) throw new Error("It was sold");
    const document = toSaleDocument({ ...sold, email: "" }, "https://shop.example");
    expect(document).toMatchObject({
      shippingCost: 0,
      paymentDetails: { paymentMethod: "Cash" },
      customerDetails: {
        email: "",
        shippingAddress: { deliveryType: "Pick-up", pickupCenter: "Yaba market", location: "Yaba market" },
      },
    });
    expect(document.customerDetails.shippingAddress).not.toHaveProperty("handedOver");
    const again = readSaleDocument(JSON.parse(JSON.stringify(document)));
    expect(again).toMatchObject({ email: "", shipping: { pickupCenter: "Yaba market" } });
  });

  test("in cash is rounded down, and says so in the book", async () => {
    const { number, what } = await sell({ kobo: 7_995_000 });
    expect(what).toBe(`${number}: ₦79,950 taken: cash`);
    const { reference } = await saleOf(number);
    const taken = db().selectFrom("handTakings").selectAll().where("reference", "=", reference);
    expect(await taken.execute()).toMatchObject([{ kobo: "7995000", roundingKobo: "3400" }]);
  });

  test("takes none of the part of a size that orders of staff may hold", async () => {
    const { number } = await sell({ units: [{ productId, size: "M", quantity: 6 }], kobo: 6 * PRICE });
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 6 });
    expect(number).toMatch(/^IR-/);
  });

  test("has offers and agreed prices, and takes no use of free delivery", async () => {
    const free = await makeOffer(db(), { gift: { kind: "delivery" } });
    const agreed = [{ productId, size: "M", cents: usdCents(3500) }];
    const { number } = await sell({ agreed, reason: "Last one", kobo: 35 * 1600 * 100 });
    expect(await orderHistory(db(), number)).toContainEqual(
      expect.objectContaining({
        text: "₦56,000 taken: cash. agreed price: Home Jersey M for $35.00 instead of $49.99; Last one.",
      }),
    );
    const uses = db().selectFrom("offerUses").selectAll().where("offerId", "=", free);
    expect(await uses.execute()).toEqual([]);
    await db().updateTable("offers").set({ paused: true }).where("id", "=", free).execute();
  });

  test("costs the same for everybody, whatever offers hold for named customers or other countries", async () => {
    const percent = { gift: { kind: "percent", percent: 20 } } as const;
    const ids = [
      await makeOffer(db(), { ...percent, customers: [user.email] }),
      await makeOffer(db(), { ...percent, countries: ["Ghana"] }),
    ];
    const { kobo } = (await priceAsked(db(), await readAtStall(db()), [{ productId, size: "M", quantity: 1 }])).sums;
    expect(kobo).toBe(PRICE);
    expect(await sell({ email: user.email })).toMatchObject({ number: expect.any(String) });
    await db().updateTable("offers").set({ paused: true }).where("id", "in", ids).execute();
  });

  test("is no address: the next order is not filled in with the stall", async () => {
    await sell({ email: user.email });
    expect(await lastShipping(db(), user.id)).toBeUndefined();
  });

  test("of the same form is one sale, however often it is sent", async () => {
    const formKey = randomUUID();
    const sold = await Promise.all(Array.from({ length: 5 }, () => sell({ formKey })));
    expect(new Set(sold.map(({ number }) => number)).size).toBe(1);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 1 });
  });

  test("two stalls and 40 shoppers sell 20 pieces, each once", async () => {
    const few = await makeProduct(db(), { M: 20 });
    const shoppers = await Promise.all(
      Array.from({ length: 40 }, () => makeShopper(db(), { productId: few, size: "M" })),
    );
    const buying = shoppers.map(async (one) => {
      const opened = await pay(one);
      if (!opened.ok) return opened.problem;
      checkout.provider.pay(opened.reference);
      return (await settlePayment(opened.reference, db())).outcome;
    });
    const atStall = async (stall: string) => {
      const units = [{ productId: few, size: "M", quantity: 1 }];
      const said: string[] = [];
      for (let count = 0; count < 10; count++)
        said.push(
          await sell({ units, stall }).then(
            () => "sold",
            (error: Error) => error.message,
          ),
        );
      return said;
    };
    const said = (await Promise.all([...buying, atStall("Yaba market"), atStall("Balogun market")])).flat();
    expect(said.filter((one) => one === "sold")).toHaveLength(20);
    const told = said.filter((one) => one !== "sold");
    expect(new Set(told.filter((one) => one !== "out-of-stock"))).toEqual(new Set(["Home Jersey M: 0 in stock"]));
    expect(await stockOf(few)).toMatchObject({ onHand: 0, reserved: 0, sold: 20 });
  });

  test("is refunded by hand, as it was paid", async () => {
    const { reference } = await saleOf((await sell()).number);
    const wish = { pieces: [{ productId, size: "M", quantity: 1 }], withShipping: false, restock: true };
    const done = await db()
      .transaction()
      .execute((trx) => refundAgreed(trx, reference, wish, PRICE, { cause: "Other", idempotencyKey: randomUUID() }));
    expect(done).toMatchObject({ ok: true });
    expect(await stockOf(productId)).toMatchObject({ onHand: 6, reserved: 0 });
  });

  test("is answered with words about an email only where the customer has given an address", async () => {
    const answers = async (email: string) => {
      const { reference } = await saleOf((await sell({ email })).number);
      const asked = { cause: "Other", idempotencyKey: randomUUID() } as const;
      const wish = { pieces: [{ productId, size: "M", quantity: 1 }] };
      const refund = () =>
        db()
          .transaction()
          .execute((trx) => refundAgreed(trx, reference, wish, PRICE, asked));
      const said = [await refund(), await refund()];
      await catchUp(reference);
      said.push(await giveByHand(db(), reference, { agreedKobo: PRICE, by: "bisi" }));
      return said.map((done) => (done.ok ? done.what : done.problem));
    };
    expect(await answers("")).toEqual(["₦79,984 goes back", "₦79,984 goes back", "₦79,984 given back by hand"]);
    expect(await answers(user.email)).toEqual([
      "₦79,984 goes back; the shopper is emailed",
      "₦79,984 goes back; the shopper is emailed",
      "₦79,984 given back by hand; the customer is emailed",
    ]);
  });

  test.each<[string, Partial<StallSale>, string]>([
    ["more than is in stock", { units: [{ productId: "", size: "M", quantity: 7 }], kobo: 7 * PRICE }, "6 in stock"],
    ["another sum than it costs", { kobo: PRICE - 100 }, "It costs ₦79,950 now"],
    ["cash rounded down, by card terminal", { kobo: 7_995_000, means: "terminal" }, "It costs ₦79,984 now"],
    ["a transfer without its reference", { means: "transfer" }, "Write the transfer’s reference"],
    ["a phone number that cannot be one", { phone: "12" }, "isn't a Nigerian phone number"],
    ["what is no email address", { email: "ada" }, "isn't an email address"],
  ])("with %s is refused, and nothing is sold or held", async (_, more, problem) => {
    const units = more.units?.map((one) => ({ ...one, productId })) ?? [{ productId, size: "M", quantity: 1 }];
    await expect(sell({ ...more, units })).rejects.toThrow(problem);
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 0 });
  });

  test("with a transfer that has already paid another order is refused, and holds nothing", async () => {
    const bankReference = `FT ${randomUUID()}`;
    await sell({ means: "transfer", bankReference });
    await expect(sell({ means: "transfer", bankReference })).rejects.toThrow("has already paid");
    expect(await stockOf(productId)).toMatchObject({ reserved: 0, sold: 1 });
  });

  test("and the checkout never sell a piece twice: twelve for six", async () => {
    const shoppers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const shopper = await makeShopper(db());
        await putInCart(db(), shopper.id, productId, "M");
        return shopper;
      }),
    );
    await Promise.allSettled([...shoppers.map((shopper) => pay(shopper)), ...Array.from({ length: 6 }, () => sell())]);
    const { reserved, sold } = await stockOf(productId);
    expect(reserved + sold).toBe(6);
  });
});
