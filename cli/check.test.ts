import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { PAYMENT_ISSUE_KINDS } from "#app/orders/issue-kind.ts";
import type { Fault } from "#app/owner/faults/fault.ts";
import { checkInvariants, FAULT_QUERIES } from "#app/owner/invariants.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { makeShopper } from "#tests/support/shop.ts";

const { db, provider, open, oneBuyer, statesOf, refundsOf, issuesOf } = useCheckout();

const say = (...words: string[]) => command(db(), ["check", ...words]);

test("ends with 0 if nothing is wrong, otherwise with 1 and a line for each fault", async () => {
  const { productId, payment } = await oneBuyer();
  expect(await say()).toMatchObject({ code: 0, text: "Everything agrees." });
  await db().updateTable("productSizes").set({ reserved: 0 }).where("productId", "=", productId).execute();
  expect(await say()).toMatchObject({
    code: 1,
    data: { broken: [{ rule: "I2", where: `${productId} M` }] },
    text: expect.stringContaining(
      `${productId} M: its counter says 0 reserved, the live orders and approved exchanges hold 1.\n`,
    ),
  });
  await db().updateTable("productSizes").set({ reserved: 1 }).where("productId", "=", productId).execute();
  provider.pay(payment.reference, { status: "abandoned" });
});

test("43 a changed table, index or trigger is named; an added one is not", async () => {
  await sql`create index an_index_of_the_owner on orders (email)`.execute(db());
  expect(await say()).toMatchObject({ code: 0, text: "Everything agrees." });
  await sql`alter table sales disable trigger sales_stay`.execute(db());
  await sql`drop index orders_of_user`.execute(db());
  const { code, data } = await say();
  expect([code, (data as { broken: Fault[] }).broken.map(({ where }) => where)]).toEqual([
    1,
    ["index orders_of_user", "trigger sales.sales_stay"],
  ]);
  await sql`alter table sales enable trigger sales_stay`.execute(db());
  await sql`create index orders_of_user on orders (user_id, created_at desc)`.execute(db());
  expect(await say()).toMatchObject({ code: 0 });
});

test.each([[["--lost"]], [["--provider", "0"]], [["--provider", "soon"]]])("%j is bad input", async (words) => {
  expect((await say(...words)).code).toBe(2);
});

test("F57 a charge that the shop has missed becomes an order", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  expect(await say("--provider")).toMatchObject({ code: 0 });
  expect(await statesOf(user)).toEqual(["sold"]);
});

test("F57 a charge from after the restored backup becomes an issue, which stays on the list", async () => {
  const { productId, user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await sql`update product_sizes set reserved = 0 where product_id = ${productId}`.execute(db());
  await sql`delete from reservations where order_id = ${payment.orderId}`.execute(db());
  await sql`delete from payments where reference = ${payment.reference}`.execute(db());
  await sql`delete from orders where user_id = ${user.id}`.execute(db());
  const { code, text } = await say("--provider", "3");
  expect([code, text.includes(payment.reference)]).toEqual([1, true]);
  expect(await issuesOf(payment.reference)).toEqual(["unknown-reference"]);
  provider.pay(payment.reference, { status: "abandoned" });
});

test("refunds in the provider's dashboard are recorded, even larger ones; a smaller sum than before is a fault", async () => {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  provider.refundByHand(payment.reference, 1_000_000);
  const [made] = provider.refunds.slice(-1);
  for (const amount of [1_000_000, 2_000_000]) {
    Object.assign(made ?? {}, { amount });
    expect((await say("--provider")).text).not.toContain(payment.reference);
    expect(await statesOf(user)).toEqual(["sold"]);
    expect((await refundsOf(payment.reference)).map(({ origin, kobo }) => [origin, kobo])).toEqual([
      ["provider", String(amount)],
    ]);
  }
  Object.assign(made ?? {}, { amount: 1_500_000 });
  for (const words of [["--provider"], []]) {
    const { code, text } = await say(...words);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(`${payment.reference}: 2000000 kobo have gone back here, 1500000 at`),
    ]);
  }
  Object.assign(made ?? {}, { amount: 2_000_000 });
  expect((await say("--provider")).text).not.toContain(payment.reference);
});

test("a provider that returns no list is named", async () => {
  provider.faulty({ on: "GET /transaction?", status: 502, body: "<html>" });
  expect(await say("--provider")).toMatchObject({ code: 1, text: expect.stringContaining("no list") });
});

describe("each fault is named with its place, what is wrong and what to do", () => {
  const orderOf = (reference: string) => `(select order_id from payments where reference = '${reference}')`;
  type Sold = { productId: string; sold: string; open: string };
  /** For each rule: SQL that breaks it in a shop with one sold and one open order, and what `check` then says. */
  const DAMAGES: [rule: string, damage: (shop: Sold) => string, says: (shop: Sold) => string][] = [
    [
      "I1",
      ({ productId }) => `update product_sizes set sold = sold + 1 where product_id = '${productId}'`,
      ({ productId }) => `${productId} M: its counter says 2 sold, its sales and exchanges say 1`,
    ],
    [
      "I1",
      ({ productId, sold }) =>
        `insert into size_changes values ((select id from sales where reference = '${sold}'), 1, '${productId}', 'M', 'L', 1, false)`,
      ({ sold }) => `${sold}: its order names other pieces than its sale with the changed sizes`,
    ],
    [
      "I2",
      ({ productId }) => `update product_sizes set reserved = reserved + 1 where product_id = '${productId}'`,
      ({ productId }) => `${productId} M: its counter says 2 reserved, the live orders and approved exchanges hold 1`,
    ],
    [
      "I2",
      ({ productId }) =>
        `alter table product_sizes drop constraint stock_never_oversold; update product_sizes set supplied = sold where product_id = '${productId}'`,
      ({ productId }) => `${productId} M: 1 are reserved, and 0 are in stock`,
    ],
    [
      "I2",
      ({ open }) => `delete from reservations where order_id = ${orderOf(open)}`,
      ({ open }) => `${open}: the order waits for its payment, and its stock is not reserved`,
    ],
    [
      "I2",
      ({ open }) => `update orders set state = 'released' where id = ${orderOf(open)}`,
      ({ open }) => `${open}: stock is reserved for the order, which is released`,
    ],
    [
      "I3",
      ({ open }) => `update payments set state = 'paid' where reference = '${open}'`,
      ({ open }) => `${open}: it is paid, and there is no sale`,
    ],
    [
      "I3",
      ({ sold }) => `update payments set state = 'pending' where reference = '${sold}'`,
      ({ sold }) => `${sold}: there is a sale, and its payment is pending`,
    ],
    [
      "I3",
      ({ open }) => `update payments set state = 'refused', paid_kobo = kobo where reference = '${open}'`,
      ({ open }) => `${open}: it was paid, no order can be made of it, and the money is not on its way back`,
    ],
    [
      "I3",
      ({ sold }) => `update orders set state = 'refunding' where id = ${orderOf(sold)}`,
      ({ sold }) => `${sold}: all of it is to go back, and 8558400 kobo of it do not`,
    ],
    [
      "I3",
      ({ sold }) =>
        `insert into refunds (reference, kobo, reason, state) select reference, kobo, 'returned', 'done' from payments where reference = '${sold}'`,
      ({ sold }) => `${sold}: all of its money has gone back, and the sale is not marked as refunded`,
    ],
    [
      "I3",
      ({ sold }) => `update sales set status = 'refunded' where reference = '${sold}'`,
      ({ sold }) => `${sold}: the sale is marked as refunded, and 0 of 8558400 kobo have gone back`,
    ],
    [
      "I4",
      ({ sold, open }) => `update payments set order_id = ${orderOf(open)} where reference = '${sold}'`,
      ({ sold }) => `${sold}: its sale and its payment belong to two orders`,
    ],
    [
      "I4",
      () => "update orders set kobo = kobo + 100 where state = 'sold'",
      ({ sold }) => `${sold}: it is sold for 8558400 kobo, and was ordered for 8558500`,
    ],
    [
      "I4",
      ({ sold }) => `update payments set paid_kobo = paid_kobo - 1 where reference = '${sold}'`,
      ({ sold }) => `${sold}: it is sold for 8558400 kobo, and 8558399 NGN were paid`,
    ],
    [
      "I5",
      ({ open }) => `update orders set state = 'sold' where id = ${orderOf(open)}`,
      ({ open }) => `${open}: the order is sold, and there is no sale`,
    ],
    [
      "I5",
      () => "update orders set state = 'released' where state = 'sold'",
      ({ sold }) => `${sold}: there is a sale, and its order is released`,
    ],
    [
      "I6",
      ({ open }) => `update orders set lines = '[]' where id = ${orderOf(open)}`,
      ({ open }) => `${open}: its lines come to 0 cents, its subtotal says 4999`,
    ],
    [
      "I6",
      () => "update orders set kobo = kobo + 100",
      ({ open }) => `${open}: its charge is 8558500 kobo, and its total at its rate comes to 8558400`,
    ],
    [
      "I8",
      () => "delete from outbox where idempotency_key like 'sale:%'",
      ({ sold }) => `${sold}: the shopper was not told of the sale`,
    ],
    [
      "I8",
      ({ sold }) => `insert into refunds (reference, kobo, reason) values ('${sold}', 500, 'returned')`,
      ({ sold }) => `${sold}: the shopper was not told that 500 kobo go back`,
    ],
    [
      "I8",
      ({ sold }) => `insert into refunds (reference, kobo, reason, state) values ('${sold}', 500, 'returned', 'done')`,
      ({ sold }) => `${sold}: the shopper was not told that 500 kobo have gone back`,
    ],
    [
      "I9",
      () => "update orders set expires_at = now() - interval '1 hour' where state = 'open'",
      ({ open }) => `${open}: the order still waits, more than half an hour after its time was over`,
    ],
    [
      "I10",
      () => "update sales set user_id = null",
      ({ sold }) => `${sold}: the sale is not in the history of the customer who ordered it`,
    ],
    [
      "I12",
      () => "update payments set next_check_at = null",
      ({ open }) => `${open}: the payment is pending, and the provider is not asked about it any more`,
    ],
    [
      "I14",
      () =>
        "update outbox set created_at = now() - interval '3 days', recipient = 'bola@example.com'; delete from jobs.job",
      () => "bola@example.com: the mail order-confirmation was given up after two days of trying",
    ],
    [
      "I15",
      ({ open }) =>
        `update payments set created_at = now() - interval '4 days', updated_at = now() - interval '4 days', last_error = 'status 500' where reference = '${open}'`,
      ({ open }) => `${open}: the payment provider has not answered about it for three days: status 500`,
    ],
    [
      "I18",
      ({ sold }) => `update payments set refunded_kobo = 1 where reference = '${sold}'`,
      ({ sold }) => `${sold}: its counters say 0 kobo on the way back and 1 gone back, its refunds say 0 and 0`,
    ],
    [
      "I18",
      ({ sold }) =>
        `alter table payments drop constraint refunds_never_exceed_payment; update payments set refunded_kobo = 8558401 where reference = '${sold}'`,
      ({ sold }) => `${sold}: 8558401 kobo go back or have gone back, and 8558400 were paid`,
    ],
    [
      "I18",
      ({ sold, productId }) =>
        `alter table refunds disable trigger count_refund; insert into refunds (reference, kobo, reason, pieces) values ('${sold}', 5, 'returned', '[{"productId": "${productId}", "size": "M", "quantity": 2}]')`,
      ({ sold, productId }) => `${sold}: 2 of ${productId} in M go back, and 1 were bought`,
    ],
    [
      "I19",
      ({ sold }) => `update payments set provider_refunded_kobo = 1 where reference = '${sold}'`,
      ({ sold }) => `${sold}: 0 kobo have gone back here, 1 at the provider`,
    ],
    [
      "I26",
      ({ sold }) => `update payments set provider = 'cash' where reference = '${sold}'`,
      ({ sold }) => `${sold}: 8558400 kobo were taken by hand, and the book says nothing`,
    ],
    [
      "I26",
      ({ open }) =>
        `insert into hand_takings (reference, kobo, taken_by, taken_at) values ('${open}', 8558400, 'bola', now() - interval '2 hours')`,
      ({ open }) => `${open}: it was taken by hand by bola, and is neither sold nor going back`,
    ],
    [
      "I26",
      ({ sold }) =>
        `insert into hand_refunds (reference, kobo, note, given_by, given_at) values ('${sold}', 500, 'x', 'bola', now() - interval '3 hours')`,
      ({ sold }) => `${sold}: 500 kobo were given back by hand, and the shop says 0`,
    ],
    [
      "I26",
      ({ open }) =>
        `insert into hand_takings (reference, kobo, rounding_kobo, taken_by) values ('${open}', 8555000, 3400, 'bola')`,
      ({ open }) => `${open}: 8555000 kobo were taken and 3400 rounded down (paystack), and the order costs 8558400`,
    ],
    [
      "I21",
      ({ sold }) =>
        `update orders set released_at = created_at where state = 'sold'; update payments set paid_at = now() + interval '2 days' where reference = '${sold}'`,
      ({ sold }) => `${sold}: it was paid more than a day after the order was made and after its end, and is sold`,
    ],
    [
      "I25",
      () => "insert into offers (name, terms, most_uses, used) values ('Radio', '{}', 5, 1)",
      () => "its counter says 1 uses, its orders hold 0",
    ],
    [
      "I25",
      ({ open }) =>
        `insert into offers (name, terms) values ('Radio', '{}'); insert into offer_uses (order_id, offer_id, cents, terms) select order_id, (select max(id) from offers), 0, '{}' from payments where reference = '${open}'; update orders set state = 'released', released_at = now() where id = (select order_id from payments where reference = '${open}')`,
      ({ open }) => `${open}: it has ended, and holds a use of offer `,
    ],
    [
      "I22",
      (sale) => `${returned(sale)}; update returns set state = 'done'`,
      () => "its money is said to have been given back, and no refund of its payment says so",
    ],
    [
      "I22",
      (sale) =>
        `alter table payments drop constraint refunds_never_exceed_payment; ${returned(sale)}; insert into refunds (reference, kobo, reason) values ('${sale.sold}', 8558401, 'returned'); update returns set state = 'done', refund_id = (select id from refunds where kobo = 8558401)`,
      () => "8558401 kobo go back for it, and 8558400 were paid",
    ],
    [
      "I22",
      (sale) =>
        `${returned(sale)}; alter table refunds disable trigger count_refund; alter table returns disable trigger check_return; insert into refunds (reference, kobo, reason, pieces) values ('${sale.sold}', 5, 'returned', '[{"productId": "${sale.productId}", "size": "M", "quantity": 2}]'); update returns set state = 'done', refund_id = (select id from refunds where kobo = 5)`,
      ({ productId }) => `its money went back for 2 of ${productId} in M, and 1 were asked for`,
    ],
    [
      "I22",
      (sale) => `${returned(sale)}; delete from return_pieces`,
      () => "it has no pieces, or an exchange names no other size for one",
    ],
    [
      "I23",
      () =>
        `update outbox set last_error = 'Error: 535 Wrong password'; update jobs.job set created_on = now() - interval '31 minutes' where name = 'send-mail'`,
      () => "the mail server says: 535 Wrong password",
    ],
    ["I32", (sale) => receiptOf(sale, { number: 2 }), () => `receipts ${YEAR}: the last number is 2, and 1 are there`],
    [
      "I32",
      (sale) =>
        `alter table receipts drop constraint receipts_pkey cascade, drop constraint receipts_year_number_key; ${receiptOf(sale)}; ${receiptOf(sale)}`,
      () => `${YEAR}-000001: 2 have this number`,
    ],
    [
      "I32",
      (sale) => receiptOf(sale, { kobo: 8_558_500 }),
      ({ sold }) => `${sold}: its receipt ${YEAR}-000001 says 8558500 kobo, and it is sold for 8558400`,
    ],
    [
      "I32",
      (sale) =>
        `${receiptOf(sale)}; insert into refunds (reference, kobo, reason, state) values ('${sale.sold}', 500, 'returned', 'done'); insert into credit_notes (refund_id, sale_id, year, number, kobo, vat_kobo, parts, given_at) select refunds.id, sales.id, ${YEAR}, 1, 8558401, 0, '[]', now() from refunds join sales using (reference) where refunds.kobo = 500`,
      () => `${YEAR}-000001: its credit notes come to 8558401 kobo with 0 of VAT, and it says 8558400 with 0`,
    ],
    [
      "I32",
      (sale) =>
        `${receiptOf(sale)}; insert into refunds (reference, kobo, reason, state) values ('${sale.sold}', 500, 'returned', 'done'); delete from receipts_due`,
      () => `${YEAR}-000001: 500 kobo of it have gone back, and its credit notes come to 0`,
    ],
    [
      "I32",
      ({ sold }) =>
        `insert into receipt_settings (since) values (now() - interval '1 day'); insert into receipts_due (sale_id, at) select id, now() - interval '61 minutes' from sales where reference = '${sold}'`,
      ({ sold }) => `${sold}: its number is due for more than an hour`,
    ],
    ["I8", (sale) => returned(sale), () => "the shopper was not told what has become of it"],
    ...PAYMENT_ISSUE_KINDS.map((kind): (typeof DAMAGES)[number] => [
      "I13",
      ({ sold }) => `insert into payment_issues (reference, kind) values ('${sold}', '${kind}')`,
      () => `(${kind})`,
    ]),
  ];
  const returned = ({ sold, productId }: Sold) =>
    `do $$ declare made uuid; begin
       insert into returns (reference, reason, wish) values ('${sold}', 'size', 'money') returning id into made;
       insert into return_pieces (return_id, product_id, size, quantity) values (made, '${productId}', 'M', 1);
     end $$`;
  const YEAR = 2026;
  const receiptOf = ({ sold }: Sold, { number = 1, kobo = 8_558_400 } = {}) =>
    `insert into receipts (sale_id, year, number, kobo, vat_kobo, seller, contents) select id, ${YEAR}, ${number}, ${kobo}, 0, '{}', '{}' from sales where reference = '${sold}'`;
  const named = DAMAGES.map(
    ([rule, damage, says]) =>
      [`${rule} ${says({ productId: "PRODUCT", sold: "SOLD", open: "OPEN" })}`, damage, says] as const,
  );
  let shop: Sold;

  beforeAll(async () => {
    const { productId, payment: first } = await oneBuyer(5);
    provider.pay(first.reference);
    await settlePayment(first.reference);
    const user = await makeShopper(db(), { productId, size: "M" });
    shop = { productId, sold: first.reference, open: (await open(user)).reference };
  });

  /** The faults that `check` finds after this damage. The damage is rolled back. */
  const faultsAfter = async (damage: string): Promise<Fault[]> => {
    const trx = await db().startTransaction().execute();
    await sql.raw(damage).execute(trx);
    const faults = await checkInvariants(trx);
    await trx.rollback().execute();
    return faults;
  };

  test.each(named)("%s", async (_, damage, says) => {
    const faults = await faultsAfter(damage(shop));
    const fault = faults.find(({ where, what }) => `${where}: ${what}`.includes(says(shop)));
    expect(fault, JSON.stringify(faults)).toMatchObject({ todo: expect.stringMatching(/^(?!.*WHERE).*[a-z]/) });
  });

  test("every rule of the database has a case in this table", () => {
    const rules = DAMAGES.map(([rule]) => rule).filter((rule) => rule !== "I13");
    expect(rules.sort()).toEqual(FAULT_QUERIES.map(({ rule }) => rule).sort());
  });
});
