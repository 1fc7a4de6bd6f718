import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { markDevice } from "#app/account/session/known-device.server.ts";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { saveAddress } from "#app/shipping/address-book/book.server.ts";
import { addressOf } from "#app/shipping/address-book/book.ts";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm, makeProduct } from "#tests/support/shop.ts";
import { customerData } from "./user-document.server.ts";

const database = useDatabase();

test("what a customer is given of their data names the saved addresses, the newsletter, the sizes that they wait for, the known devices, and what staff have noted", async () => {
  const [id, email] = [randomUUID(), "ada@example.com"];
  await database.db().insertInto("users").values({ id, email, firstName: "Ada", lastName: "Obi" }).execute();
  const size = { productId: await makeProduct(database.db(), { M: 0 }), size: "M" };
  const read = () => customerData(database.db(), id, "https://shop.example");
  expect(await read()).toMatchObject({
    email,
    addresses: [],
    newsletter: false,
    stockAlerts: [],
    knownDevices: [],
    tags: [],
    notes: [],
    cart: [],
  });
  await saveAddress(database.db(), id, addressOf(lagosForm));
  await markDevice(database.db(), id);
  await subscribe(database.db(), "Ada", email);
  await database.db().insertInto("customerTags").values({ userId: id, folded: "vip", word: "VIP" }).execute();
  const note = { text: "Prefers calls after six", author: "bola@example.com" };
  await database
    .db()
    .insertInto("customerNotes")
    .values({ id: randomUUID(), userId: id, ...note })
    .execute();
  const others = { ...size, email: "other@example.com" };
  await database
    .db()
    .insertInto("stockAlerts")
    .values([{ ...size, email }, others])
    .execute();
  const knownDevices = [{ createdAt: expect.any(String), usedAt: expect.any(String) }];
  const notes = [{ text: note.text, writtenAt: expect.any(String) }];
  const given = await read();
  expect(given?.addresses).toEqual([{ ...addressOf(lagosForm), isDefault: true }]);
  expect(given).toMatchObject({ newsletter: true, stockAlerts: [size], knownDevices, tags: ["VIP"], notes, sales: [] });
  expect(JSON.stringify(given)).not.toContain(note.author);
});
