import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeShopper, putInCart } from "#tests/support/shop.ts";
import { renderers } from "./emails.tsx";
import { checkInvariants } from "./invariants.server.ts";
import { getOrder, listOrders, listSold } from "./orders.server.ts";
import { toOrderSummary } from "./sale-document.ts";
import { settlePayment } from "./settle.server.ts";

const { db, provider, open, oneBuyer } = useCheckout();

describe("a shopper's orders", () => {
  test("those sold, and those with money on its way; the newest first", async () => {
    const { productId, user, payment } = await oneBuyer(3);
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    await putInCart(db(), user.id, productId, "M");
    const second = await open(user);
    expect(await listOrders(db(), user.id)).toMatchObject([{ reference: payment.reference, status: "completed" }]);
    provider.pay(second.reference, { status: "pending" });
    await settlePayment(second.reference);
    expect(await listOrders(db(), user.id)).toMatchObject([
      { reference: second.reference, status: "Awaiting payment", saleId: null },
      { reference: payment.reference, status: "completed" },
    ]);
  });

  test("one by its reference, with everything that was fixed when it was paid", async () => {
    const { user, payment } = await oneBuyer();
    expect(await getOrder(db(), user.id, payment.reference)).toMatchObject({
      reference: payment.reference,
      state: "open",
      status: "Processing",
      subtotalCents: 4999,
      shippingCents: 350,
      totalCents: 5349,
      kobo: 8_558_400,
      rate: "1600.000000",
      lines: [{ title: "Home Jersey", size: "M", quantity: 1, priceCents: 4999 }],
      shipping: { state: "Lagos", shippingCost: "3.50" },
    });
  });

  test("F37 nobody else's", async () => {
    const { payment } = await oneBuyer();
    const other = await makeShopper(db());
    expect(await getOrder(db(), other.id, payment.reference)).toBeUndefined();
    expect(await getOrder(db(), other.id, "no such reference")).toBeUndefined();
    expect(await listOrders(db(), other.id)).toEqual([]);
  });

  test("a sale in the specification's shape", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    const [sold] = await listSold(db(), user.id);
    if (!sold) throw new Error("not sold");
    expect(toOrderSummary(sold, () => "/images/x/320.jpg")).toEqual({
      userId: user.id,
      customerDetails: {
        name: "Ada Obi",
        email: "ada@example.com",
        shippingAddress: expect.objectContaining({ state: "Lagos", paymentReference: payment.reference }),
      },
      products: [
        {
          id: sold.lines[0]?.productId,
          title: "Home Jersey",
          name: "Home Jersey",
          price: 49.99,
          color: "Green",
          sizes: "M",
          selectedSize: "M",
          quantity: 1,
          images: "/images/x/320.jpg",
        },
      ],
      paymentDetails: {
        reference: payment.reference,
        amount: 85584,
        currency: "NGN",
        status: "completed",
        paymentMethod: "Paystack",
        paymentDate: expect.stringMatching(/^\d{4}-/),
      },
      shippingCost: 3.5,
      orderDate: expect.any(String),
      totalAmount: 53.49,
      subtotal: 49.99,
      saleId: sold.saleId,
      saleDate: expect.any(String),
    });
  });
});

describe("mails", () => {
  const queued = async (reference: string) => {
    const { data, kind } = await db()
      .selectFrom("outbox")
      .select(["data", "kind"])
      .where("key", "like", "%")
      .orderBy("createdAt", "desc")
      .execute()
      .then((rows) => rows.find((row) => row.data.reference === reference) ?? Promise.reject(new Error("no mail")));
    return renderers[kind]?.(data);
  };

  test("the confirmation says what was bought, what was charged and where it goes", async () => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    const mail = await queued(payment.reference);
    expect(mail?.subject).toBe("Thank you for your order");
    for (const part of ["Home Jersey", "$49.99", "$3.50", "$53.49", "₦85,584", "1 Broad Street", payment.reference]) {
      expect(mail?.html).toContain(part);
      expect(mail?.text).toContain(part);
    }
  });

  test("a refund says how much and why", async () => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference, { amount: payment.kobo - 100 });
    await settlePayment(payment.reference);
    const mail = await queued(payment.reference);
    expect(mail?.subject).toBe("Your money is on its way back");
    expect(mail?.text).toContain("₦85,583");
    expect(mail?.text).toContain("not the sum of your order");
  });

  test("what a shopper has written stays text", async () => {
    const evil = '<img src=x onerror="alert(1)">';
    const mail = await renderers["refund-done"]?.({
      firstName: evil,
      sum: "₦1",
      reason: "",
      reference: "r",
      orderUrl: "https://x/",
    });
    expect(mail?.html).not.toContain("<img");
  });
});

describe("the invariants notice", () => {
  test.each([
    ["I1", "update product_sizes set sold = sold + 1 where product_id = $id"],
    ["I2", "update product_sizes set reserved = reserved + 1 where product_id = $id"],
    ["I3", "update payments set state = 'pending' where state = 'paid'"],
    ["I4", "update payments set paid_kobo = paid_kobo - 1 where state = 'paid'"],
    ["I5", "update attempts set state = 'released' where state = 'sold'"],
    ["I6", "update attempts set kobo = kobo + 100"],
    ["I8", "delete from outbox"],
    ["I9", "update attempts set expires_at = now() - interval '1 hour' where state = 'open'"],
    ["I10", "update sales set user_id = null"],
    ["I12", "update payments set next_check_at = null"],
    ["I13", "insert into reconciliation_breaks (reference, kind) values ('x', 'y')"],
  ])("%s when: %s", async (rule, damage) => {
    const { productId, payment } = await oneBuyer(5);
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    await oneBuyer(5);
    expect((await checkInvariants(db())).filter((broken) => broken.rule !== "I13")).toEqual([]);
    const noticed = await db()
      .transaction()
      .execute(async (trx) => {
        await sql.raw(damage.replace("$id", `'${productId}'`)).execute(trx);
        const broken = await checkInvariants(trx);
        throw Object.assign(new Error("undo"), { rules: broken.map((one) => one.rule) });
      })
      .catch((error) => error.rules as string[]);
    expect(noticed).toContain(rule);
  });
});
