import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { closePayment } from "#app/payments/status.server.ts";
import { PICK_UP } from "#app/shipping/shipping.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper, putInCart } from "#tests/support/shop.ts";
import { toOrderSummary } from "./document.ts";
import { renderers } from "./emails.tsx";
import { PickUp } from "./fulfilment/panels.tsx";
import { getOrder, listOrders, listSold } from "./history.server.ts";
import { lastShipping } from "./lifecycle.server.ts";
import { OrderDetails, PartRefunded } from "./view.tsx";

const { db, provider, open, oneBuyer, catchUp } = useCheckout();

const textOf = (node: ReactNode) => renderToStaticMarkup(node).replace(/<[^>]+>/g, "");

describe("a shopper's orders", () => {
  test("are those sold and those with a pending payment, newest first", async () => {
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

  test("do not include an open or lapsed one; one that is being refunded stays, and says so", async () => {
    const { user, payment } = await oneBuyer();
    expect(await listOrders(db(), user.id)).toEqual([]);
    await closePayment(db(), user.id, payment.reference);
    expect(await listOrders(db(), user.id)).toEqual([]);
    provider.pay(payment.reference, { currency: "USD" });
    await settlePayment(payment.reference);
    const shown = async () => (await listOrders(db(), user.id)).map(({ state, status }) => [state, status]);
    expect(await shown()).toEqual([["refunding", "Refund on its way"]]);
    await catchUp(payment.reference);
    provider.finishRefunds("processed", payment.reference);
    await catchUp(payment.reference);
    expect(await shown()).toEqual([["refunded", "Refunded"]]);
    const [order] = await listOrders(db(), user.id);
    expect(order).toMatchObject({ saleId: null, progress: null, isNew: false, refunds: [], returns: [] });
  });

  test("have a sale's time, its progress, and whether its greeting was dismissed", async () => {
    const { user, payment } = await oneBuyer();
    const { reference } = payment;
    const began = new Date("2026-01-05T09:00:00Z");
    await db().updateTable("orders").set({ createdAt: began }).where("id", "=", payment.orderId).execute();
    expect(await getOrder(db(), user.id, reference)).toMatchObject({ orderedAt: began, progress: null, isNew: false });
    await db().updateTable("orders").set({ createdAt: new Date() }).where("id", "=", payment.orderId).execute();
    provider.pay(reference);
    await settlePayment(reference);
    const sold = new Date("2026-01-06T09:00:00Z");
    await db().updateTable("sales").set({ createdAt: sold }).where("reference", "=", reference).execute();
    const order = await getOrder(db(), user.id, reference);
    expect(order).toMatchObject({ orderedAt: sold, progress: { stage: "paid" }, isNew: true, kobo: 8_558_400 });
    expect(await listOrders(db(), user.id), "read with all that there may be of an order").toEqual([order]);
    await db().updateTable("sales").set({ greetingDismissedAt: sold }).where("reference", "=", reference).execute();
    expect(await getOrder(db(), user.id, reference)).toMatchObject({ isNew: false });
    await refundWished(db(), reference);
    expect(await getOrder(db(), user.id, reference)).toMatchObject({
      state: "refunding",
      progress: null,
      isNew: false,
    });
  });

  test("can be read by reference, with everything that was fixed at the payment", async () => {
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

  test("fill in the shopper's next checkout, paid or not, and nobody else's", async () => {
    const { user, payment } = await oneBuyer();
    expect(await lastShipping(db(), user.id)).toEqual(lagosForm);
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    expect(await lastShipping(db(), user.id)).toEqual(lagosForm);
    expect(await lastShipping(db(), (await makeShopper(db())).id)).toBeUndefined();
  });

  test("F37 S38 are shown to nobody else", async () => {
    const { payment } = await oneBuyer();
    const other = await makeShopper(db());
    expect(await getOrder(db(), other.id, payment.reference)).toBeUndefined();
    expect(await getOrder(db(), other.id, "no such reference")).toBeUndefined();
    expect(await listOrders(db(), other.id)).toEqual([]);
  });

  test("stay completed, without progress, if all pieces are refunded before they are sent", async () => {
    const { user, payment } = await oneBuyer();
    const { reference } = payment;
    provider.pay(reference);
    await settlePayment(reference);
    const before = await getOrder(db(), user.id, reference);
    expect(before).toMatchObject({ staysHere: false, isNew: true, progress: { stage: "paid" } });
    const pieces = before?.lines.map(({ productId, size, quantity }) => ({ productId, size, quantity }));
    await refundWished(db(), reference, { pieces });
    const after = await getOrder(db(), user.id, reference);
    expect(after).toMatchObject({ status: "completed", staysHere: true, isNew: false, progress: null });
    await db().updateTable("sales").set({ readyAt: new Date() }).where("reference", "=", reference).execute();
    const waiting = await getOrder(db(), user.id, reference);
    expect(waiting, "it has left for its pick-up centre").toMatchObject({
      staysHere: false,
      progress: { stage: "ready" },
    });
  });

  test("stay completed after a part refund, and say for what and how much", async () => {
    const productId = await makeProduct(db(), { M: 2 });
    const user = await makeShopper(db(), { productId, size: "M", quantity: 2 });
    const { reference } = await open(user);
    provider.pay(reference);
    await settlePayment(reference);
    await refundWished(db(), reference, { pieces: [{ productId, size: "M", quantity: 1 }], withShipping: true });
    const [underWay] = await listOrders(db(), user.id);
    expect(underWay).toMatchObject({
      status: "completed",
      state: "sold",
      refunds: [{ kobo: 8_558_400, isDone: false }],
    });
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
    const order = await getOrder(db(), user.id, reference);
    if (!order) throw new Error("no order");
    expect(order).toMatchObject({ status: "completed", refunds: [{ isDone: true }] });
    const text = textOf(createElement(PartRefunded, { order })) + textOf(createElement(OrderDetails, { order }));
    for (const part of ["Refunded in part: ₦85,584 has gone back", "1 × Home Jersey, Green, M", "Delivery"])
      expect(text).toContain(part);
    const [sold] = await listSold(db(), user.id);
    if (!sold) throw new Error("not sold");
    expect(toOrderSummary(sold, "").paymentDetails).toMatchObject({
      status: "completed",
      amount: 165_568,
      refunded: 85_584,
      refunds: [
        {
          amount: 85_584,
          status: "done",
          products: [{ id: productId, selectedSize: "M", quantity: 1 }],
          shipping: true,
          date: expect.stringMatching(/^\d{4}-/),
        },
      ],
    });
  });

  test("are listed for the export if sold, of one shopper or of all, oldest first", async () => {
    const [first, second] = [await oneBuyer(), await oneBuyer()];
    for (const { payment } of [second, first]) {
      provider.pay(payment.reference);
      await settlePayment(payment.reference);
    }
    const old = { createdAt: new Date("2026-01-05T09:00:00Z") };
    const ofFirst = first.payment.reference;
    await db().updateTable("sales").set(old).where("reference", "=", ofFirst).execute();
    await db().updateTable("payments").set({ paidAt: null }).where("reference", "=", ofFirst).execute();
    const all = await listSold(db());
    expect(all[0]).toMatchObject({
      reference: ofFirst,
      userId: first.user.id,
      soldAt: old.createdAt,
      paidAt: old.createdAt,
      kobo: 8_558_400,
      refunds: [],
    });
    expect(all.length).toBeGreaterThan(2);
    const times = all.map(({ soldAt }) => soldAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const [own, ...others] = await listSold(db(), second.user.id);
    expect([own?.reference, others]).toEqual([second.payment.reference, []]);
    expect(own?.paidAt).not.toEqual(own?.soldAt);
  });

  test("a sale in the specification's shape", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    const [sold] = await listSold(db(), user.id);
    if (!sold) throw new Error("not sold");
    expect(toOrderSummary(sold, "https://shop.example")).toEqual({
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
          images: "/placeholder.svg",
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
      .where("idempotencyKey", "like", "%")
      .orderBy("createdAt", "desc")
      .execute()
      .then((rows) => rows.find((row) => row.data.reference === reference) ?? Promise.reject(new Error("no mail")));
    return renderers[kind]?.(data);
  };

  test("the confirmation has the pieces, the charge, the delivery days and the address", async () => {
    const { user, payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    const mail = await queued(payment.reference);
    expect(mail?.subject).toBe("Thank you for your order");
    const { number } = (await getOrder(db(), user.id, payment.reference)) ?? { number: "no order" };
    const sums = ["₦79,984", "$49.99", "₦5,600", "$3.50", "₦85,584", "$53.49", "$1 = ₦1,600"];
    const said = ["Home Jersey", ...sums, "1 Broad Street", payment.reference, number];
    for (const part of said) {
      expect(mail?.html).toContain(part);
      expect(mail?.text).toContain(part);
    }
    expect(mail?.text.replace(/\s+/g, " ")).toMatch(/leaves us by \w+day \d+ \w+; it reaches you between \d+ \w+ and/);
  });

  test("the confirmation of a pick-up order says when and where it will be ready", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const form = { ...lagosForm, deliveryType: "Pick-up" as const, address: "", state: "", pickupCenter: "Surulere" };
    const { reference } = await open(user, { form, destination: { kind: "pickup", center: "Surulere" } });
    provider.pay(reference);
    await settlePayment(reference);
    const text = (await queued(reference))?.text.replace(/\s+/g, " ");
    expect(text).toMatch(/it will be ready for you at Surulere between \d+ \w+ and \d+ \w+\. We’ll email you then/);
    expect(text).not.toContain("it reaches you");
  });

  const toYaba = {
    form: { ...lagosForm, deliveryType: PICK_UP, address: "", state: "", localGovernment: "", pickupCenter: "Yaba" },
    destination: { kind: "pickup", center: "Yaba" },
  } as const;

  test("the mails of a pick-up order say where, when and what to bring, and the order's page says the same", async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const user = await makeShopper(db(), { productId, size: "M" });
    const { reference } = await open(user, toYaba);
    provider.pay(reference);
    await settlePayment(reference);
    const mail = await queued(reference);
    expect(mail?.text).toContain("it will be ready for you at Yaba between");
    expect(mail?.text).not.toContain("it reaches you");
    const order = await getOrder(db(), user.id, reference);
    const shown = order
      ? textOf(createElement(PickUp, { order })) + textOf(createElement(OrderDetails, { order }))
      : "";
    for (const part of ["11 Herbert Macaulay Way, Yaba", "Mon-Sat 9:00-18:00", "Your order number and an ID card"]) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
      expect(shown).toContain(part);
    }
    expect(shown).toContain("Pick-up at Yaba");
  });

  test("the mail about a refund has the sum and the reason", async () => {
    const { payment } = await oneBuyer();
    provider.pay(payment.reference, { amount: payment.kobo - 100 });
    await settlePayment(payment.reference);
    const mail = await queued(payment.reference);
    expect(mail?.subject).toBe("Your money is on its way back");
    expect(mail?.text).toContain("₦85,583");
    expect(mail?.text).toContain("isn’t the sum of your order");
  });

  test("S49 a shopper's input is escaped", async () => {
    const evil = '<img src=x onerror="alert(1)">';
    const mail = await renderers["refund-done"]?.({
      firstName: evil,
      sum: "₦1",
      reason: "",
      number: "IR-7K3M-2Q",
      reference: "r",
      orderUrl: "https://x/",
    });
    expect(mail?.html).not.toContain("<img");
  });
});
