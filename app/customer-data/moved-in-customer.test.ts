import { beforeAll, expect, test } from "vitest";
import { importSale } from "#app/orders/past/import.server.ts";
import { readSaleDocument } from "#app/orders/past/sale.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeShopper } from "#tests/support/shop.ts";

const { db } = useDatabase();
const say = (line: string) => command(db(), line.split(" "));
beforeAll(() => seedShipping(db()));

/**
 * A sale imported from another shop under the id `id`, and sent off by this shop. Its mail goes to an address that
 * differs from the customer's account.
 */
async function movedIn(id: string): Promise<{ account: string; told: string }> {
  const { id: userId, email } = await makeShopper(db());
  const told = `${id.replace(":", "-")}@elsewhere.example`;
  const reference = id.replace(":", "-").padEnd(16, "0");
  const sale = readSaleDocument({
    id,
    userId,
    customerDetails: { name: "Ada Obi", email: told, shippingAddress: { country: "Nigeria", state: "Lagos" } },
    products: [{ id: "jersey", price: 20, quantity: 1 }],
    paymentDetails: { reference, amount: 32_000 },
    totalAmount: 20,
  });
  await db()
    .transaction()
    .execute((trx) => importSale(trx, sale));
  expect(await say(`orders fulfil ${reference}`)).toMatchObject({ code: 0 });
  await db().updateTable("outbox").set({ state: "sent" }).where("recipient", "=", told).execute();
  return { account: email, told };
}

const mailsTo = (recipient: string) =>
  db().selectFrom("outbox").select("kind").where("recipient", "=", recipient).execute();

test("a deleted customer's mails are found by any id that the other shop gave the sale, and nobody else's are", async () => {
  const [deleted, other] = [await movedIn("order:1"), await movedIn("order:12")];
  expect(await mailsTo(deleted.told)).toEqual([{ kind: "order-sent" }]);
  expect(await say(`customers delete ${deleted.account}`)).toMatchObject({ code: 0 });
  expect(await mailsTo(deleted.told)).toEqual([]);
  expect(await mailsTo(other.told)).toEqual([{ kind: "order-sent" }]);
});
