vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { listPrivatePictures, pictureStore, removePictures } from "#app/catalog/pictures/store.server.ts";
import { customerData } from "#app/customer-data/user-document.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import { addParcelPicture } from "#app/owner/orders/parcels/pictures.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { OFFICE } from "#tests/support/returns.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const ask = useOfficePages();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-parcels-"));
env.pictures = { folder };
afterAll(() => rmSync(folder, { recursive: true }));

let packer: Awaited<ReturnType<typeof staffWithPasskey>>;
beforeAll(async () => {
  packer = await staffWithPasskey(db(), "packer");
});

type Order = { email: string; userId: string; number: string; page: string };
let order: Order;
/** An order that is packed in the office. */
beforeEach(async () => {
  order = await sold();
  await post({ intent: "pack" });
});

async function sold(): Promise<Order> {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const row = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  const { number } = await row.executeTakeFirstOrThrow();
  return { email: user.email, userId: user.id, number, page: `/orders/${number}` };
}

const post = (form: Record<string, string> | FormData, { cookies } = packer) => ask(order.page, cookies, form);

/** A photograph as a phone takes it: each width is another one. */
async function taken(width = 64): Promise<File> {
  const picture = sharp({ create: { width, height: 48, channels: 3, background: "#a33" } });
  const bytes = await picture
    .withExif({ IFD0: { Make: "Phone" } })
    .jpeg()
    .toBuffer();
  return new File([new Uint8Array(bytes)], "parcel.jpg", { type: "image/jpeg" });
}

function withPhoto(...pictures: File[]): FormData {
  const form = new FormData();
  form.set("intent", "photo");
  for (const picture of pictures) form.append("picture", picture);
  return form;
}

/** The paths of the photographs on the order's screen. */
async function shown({ cookies } = packer): Promise<string[]> {
  const { raw } = await ask(order.page, cookies);
  return [...raw.matchAll(/<img src="(\/orders\/[^"]+\/pictures\/[^"]+)"/g)].map(([, src = ""]) => src);
}

const idIn = (src = "") => src.split("/").at(-1) ?? "";

test("a packer adds a photo to a packed order: it is kept without where it was taken, and is in the history", async () => {
  expect((await ask(order.page, packer.cookies)).fields).toContainEqual(
    expect.objectContaining({ type: "file", name: "picture", accept: "image/*", capture: "environment" }),
  );
  expect((await post(withPhoto(await taken()))).text).toContain("Photo added.");
  const [src = "", ...more] = await shown();
  expect([more, (await ask(src, packer.cookies)).status]).toEqual([[], 200]);
  const { format, width, exif } = await sharp(await pictureStore().read(`parcels/${idIn(src)}.jpg`)).metadata();
  expect({ format, width, exif }).toEqual({ format: "jpeg", width: 64, exif: undefined });
  const history = await orderHistory(db(), order.number);
  expect(history).toContainEqual(expect.objectContaining({ title: "Photo of the parcel", by: "Ada Obi" }));
  const acts = db().selectFrom("auditLog").select("actor").where("action", "=", "orders add-photo");
  expect((await acts.execute()).map(({ actor }) => actor)).toContain(packer.email);
});

test("before the order is packed there is nothing to add, and no file stays", async () => {
  order = await sold();
  const before = await listPrivatePictures();
  expect((await ask(order.page, packer.cookies)).text).not.toContain("Photos of the parcel");
  const refused = await post(withPhoto(await taken()));
  expect([refused.status, await shown(), await listPrivatePictures()]).toEqual([422, [], before]);
  expect(refused.text).toContain("Mark the order as packed first.");
});

test("no file stays of a photo that the database does not take", async () => {
  const before = await listPrivatePictures();
  await sql`alter table parcel_pictures add constraint closed check (false) not valid`.execute(db());
  const failed = await post(withPhoto(await taken()));
  await sql`alter table parcel_pictures drop constraint closed`.execute(db());
  expect([failed.status, await listPrivatePictures()]).toEqual([500, before]);
});

test("while the database is away, the error is the first one", async () => {
  const away = {
    isTransaction: false,
    transaction: () => ({ execute: () => Promise.reject(new Error("first")) }),
    selectFrom: () => {
      throw new Error("second");
    },
  } as unknown as Db;
  const given = Buffer.from(await (await taken()).arrayBuffer());
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  await expect(addParcelPicture(away, OFFICE, "any", given)).rejects.toThrow("first");
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test("adding one does not stand in the way of taking the last step back", async () => {
  await post(withPhoto(await taken()));
  const act = db().selectFrom("auditLog").select("id").where("action", "=", "orders pack").orderBy("id", "desc");
  const { id } = await act.executeTakeFirstOrThrow();
  expect((await post({ intent: "take-back", act: id })).status).toBe(200);
});

test("a form that is sent twice adds one; three are the most, until one is removed with its file", async () => {
  const none = await listPrivatePictures();
  const twice = withPhoto(await taken());
  expect((await Promise.all([post(twice), post(twice)])).map(({ status }) => status)).toEqual([200, 200]);
  expect([(await shown()).length, (await listPrivatePictures()).length]).toEqual([1, none.length + 1]);
  for (const width of [65, 66]) await post(withPhoto(await taken(width)));
  const [first = "", ...others] = await shown();
  expect(others).toHaveLength(2);
  expect((await ask(order.page, packer.cookies)).text).not.toContain("Add photo");
  const before = await listPrivatePictures();
  const fourth = await post(withPhoto(await taken(67)));
  expect([fourth.status, await shown(), await listPrivatePictures()]).toEqual([422, [first, ...others], before]);
  expect(fourth.text).toContain("A parcel has up to 3 photos.");

  for (let press = 0; press < 2; press++)
    expect((await post({ intent: "remove-photo", picture: idIn(first) })).status).toBe(200);
  expect(await shown()).toEqual(others);
  expect((await ask(first, packer.cookies)).status).toBe(404);
  expect(await toRemove()).toContain(`parcels/${idIn(first)}.jpg`);
  await post(withPhoto(await taken()));
  const [, , again] = await shown();
  expect(again).not.toBe(first); // its file is not the one that is being removed
});

/** The names of the files that are to be removed. */
async function toRemove(): Promise<string[]> {
  const { rows } = await sql<{ data: { names: string[] } }>`
    select data from jobs.job where name = 'remove-pictures'`.execute(db());
  return rows.flatMap(({ data }) => data.names);
}

const text = (bytes: string | Uint8Array<ArrayBuffer>) => new File([bytes], "parcel.jpg", { type: "image/jpeg" });
test.each<[string, () => Promise<File[]>, string]>([
  ["a text", async () => [text("no picture")], "This photo can’t be read."],
  ["no file", async () => [text("")], "Choose a photo"],
  ["two at once", async () => [await taken(), await taken(65)], "Choose a photo"],
  ["one of more than 8 MB", async () => [text(new Uint8Array(8 * 1024 * 1024 + 1))], "A photo can be up to 8 MB."],
])("%s is refused beside the field, and leaves no file", async (_, files, said) => {
  const before = await listPrivatePictures();
  const refused = await post(withPhoto(...(await files())));
  expect([refused.status, refused.text.includes(said)]).toEqual([422, true]);
  expect([await shown(), await listPrivatePictures()]).toEqual([[], before]);
});

test("who may not pack sees photos and changes none, and no shopper sees any", async () => {
  await post(withPhoto(await taken()));
  const [src = ""] = await shown();
  const reader = await staffWithPasskey(db(), "reader");
  expect(await shown(reader)).toEqual([src]);
  const { forms } = await ask(order.page, reader.cookies);
  expect(forms.flatMap(({ intents }) => intents)).not.toContain("remove-photo");
  expect((await post(withPhoto(await taken(65)), reader)).status).toBe(403);
  expect((await post({ intent: "remove-photo", picture: idIn(src) }, reader)).status).toBe(403);
  expect((await ask(src.replace(order.number, (await sold()).number), packer.cookies)).status).toBe(404);
  expect(await shown()).toEqual([src]);
  for (const name of [`parcels/${idIn(src)}.jpg`, `parcels/${idIn(src)}/640.jpg`])
    expect(await pictureResponse(new Request(`http://localhost/images/${name}`))).toBeNull();
  expect(JSON.stringify(await customerData(db(), order.userId, "https://shop.example"))).not.toContain(idIn(src));
});

test("with the customer's account its orders' photos go, rows and files, and nobody else's", async () => {
  await post(withPhoto(await taken()));
  const [kept = ""] = await shown();
  order = await sold();
  await post({ intent: "send", carrier: "", tracking: "" });
  await post(withPhoto(await taken()));
  const [src = ""] = await shown();
  expect(await command(db(), ["customers", "delete", order.email])).toMatchObject({ code: 0 });
  expect(await shown()).toEqual([]);
  const names = await toRemove();
  expect([names.includes(`parcels/${idIn(src)}.jpg`), names.includes(`parcels/${idIn(kept)}.jpg`)]).toEqual([
    true,
    false,
  ]);
  await removePictures([`parcels/${idIn(src)}.jpg`]);
  const files = await listPrivatePictures();
  expect([files.includes(`parcels/${idIn(src)}.jpg`), files.includes(`parcels/${idIn(kept)}.jpg`)]).toEqual([
    false,
    true,
  ]);
});
