import { beforeAll, expect, test } from "vitest";
import { setVatRate } from "#app/owner/receipts/settings.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { numberAll, setReceipts } from "#tests/support/receipts.ts";

const { db, provider, oneBuyer, catchUp } = useCheckout();
const say = (...words: string[]) => command(db(), ["receipts", ...words]);

let reference: string;
let number: string;
let year: string;
let day: string;

/** A sale with a receipt, of which ₦1,000 were given back, and a second one without VAT on it. */
beforeAll(async () => {
  await withinOneDay();
  day = shopDay();
  year = day.slice(0, 4);
  await setReceipts(db());
  await setVatRate(db(), OWNER, { fromDay: "2020-01-01", tenths: 75 });
  ({ reference, number } = await sold());
  await refundWished(db(), reference, { kobo: 100_000 });
  await catchUp(reference);
  provider.finishRefunds();
  await catchUp(reference);
  await numberAll(db());
});

async function sold() {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const order = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  return { reference: payment.reference, number: (await order.executeTakeFirstOrThrow()).number };
}

test("'receipts list' lists receipts and then credit notes, as text and as JSON", async () => {
  const { code, text, data } = await say("list");
  expect(code).toBe(0);
  expect(text.split("\n")).toEqual([
    `${year}-000001  ${number}  ${day}  ₦85,584  VAT 7.5% ₦5,970.98`,
    `CN-${year}-000001  to ${year}-000001  ${number}  ${day}  ₦1,000  VAT 7.5% ₦69.77`,
    expect.stringContaining("2 receipts and credit notes, page 1 of 1"),
  ]);
  const vat = { vatPercent: 7.5, order: number, day };
  expect(data).toMatchObject({
    total: 2,
    receipts: [
      { kind: "receipt", number: `${year}-000001`, receipt: null, naira: 85_584, vatNaira: 5970.98, ...vat },
      {
        ...vat,
        kind: "credit note",
        number: `CN-${year}-000001`,
        receipt: `${year}-000001`,
        naira: 1000,
        vatNaira: 69.77,
      },
    ],
  });
});

test("--since leaves out earlier sales and refunds", async () => {
  expect((await say("list", "--since", day)).data).toMatchObject({ total: 2 });
  expect((await say("list", "--since", shopDay(-1))).data).toMatchObject({ total: 0, receipts: [] });
});

test("'receipts show' finds a receipt by the order's number and by its payment's reference", async () => {
  const { code, text, data } = await say("show", number);
  expect(code).toBe(0);
  for (const part of [
    `Receipt ${year}-000001, `,
    `order ${number}, payment ${reference}, Paystack`,
    "seller: Irepo Clothing Limited, 41 Adeniran Ogunsanya Street, Surulere, Lagos, TIN 01234567-0001",
    "buyer: Ada Obi, 1 Broad Street, Lagos Island, Lagos, Nigeria",
    "1 × Home Jersey, Green, M: ₦79,984",
    "Delivery: ₦5,600",
    "Paid ₦85,584  VAT 7.5% ₦5,970.98  $53.49",
    `CN-${year}-000001  `,
  ])
    expect(text).toContain(part);
  expect(data).toMatchObject({ receipt: { number: `${year}-000001`, kobo: 8_558_400, credits: [{ kobo: 100_000 }] } });
  expect((await say("show", reference)).data).toEqual(data);
});

test.each([
  [["list", "--since", "yesterday"]],
  [["list", "--page", "0"]],
  [["list", "--page", "9"]],
  [["show", "IR-0000-00"]],
  [["show", "nonsense"]],
])("%j is bad input", async (words) => {
  expect((await say(...words)).code).toBe(2);
});

test("an order without a receipt is refused with that reason", async () => {
  const other = await sold();
  expect(await say("show", other.number)).toMatchObject({ code: 2, text: `The order ${other.number} has no receipt` });
});
