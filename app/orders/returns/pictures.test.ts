import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { listPrivatePictures, removePictures } from "#app/catalog/pictures/store.server.ts";
import { customerData } from "#app/customer-data/user-document.server.ts";
import { env } from "#app/infra/env.server.ts";
import { CLIENT_ADDRESS_HEADER } from "#app/infra/http/network.ts";
import { approveReturn, declineReturn } from "#app/owner/returns/returns.server.ts";
import { action, loader } from "#app/routes/order-pictures.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { asked, OFFICE as by, delivered } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeShopper, type Shopper } from "#tests/support/shop.ts";
import {
  addReturnPicture,
  awaitsPictures,
  forgetReturnPictures,
  nameOfPicture,
  returnPicture,
} from "./pictures.server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-returns-"));
const checkout = useCheckout();
const { db } = checkout;
beforeAll(() => {
  env.pictures = { folder };
});
afterAll(() => rmSync(folder, { recursive: true }));

const torn = async (reason: "damaged" | "size" = "damaged") => {
  const sale = await delivered(checkout);
  return { ...sale, number: await asked(db(), sale, { reason }) };
};
type Torn = Awaited<ReturnType<typeof torn>>;
const photograph = (width = 640, height = 480) =>
  sharp({ create: { width, height, channels: 3, background: "#a33" } }).withExif({
    IFD0: { Make: "Phone" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "6/1 27/1 0/1" },
  });
const idsOf = async (number: string) => {
  const { rows } = await sql<{ id: string }>`
    select p.id from return_pictures p join returns r on r.id = p.return_id where number = ${number} order by place`.execute(
    db(),
  );
  return rows.map(({ id }) => id);
};

test.each([
  ["JPEG", () => photograph().jpeg().toBuffer()],
  ["PNG", () => photograph().png().toBuffer()],
  ["WebP", () => photograph().webp().toBuffer()],
  ["HEIF, as far as it is read", () => photograph().avif().toBuffer()],
])("a photograph sent as %s is stored as a JPEG without the place where it was taken", async (_, made) => {
  const { user, number } = await torn();
  const given = await made();
  expect((await sharp(given).metadata()).exif?.includes("Phone") ?? true).toBe(true);
  expect(await addReturnPicture(db(), user.id, number, given)).toEqual({ ok: true });
  const [id = ""] = await idsOf(number);
  const kept = await returnPicture(db(), id, user.id);
  const { format, width, exif, xmp } = await sharp(kept).metadata();
  expect({ format, width, exif, xmp }).toEqual({ format: "jpeg", width: 640, exif: undefined, xmp: undefined });
});

test("a large photograph is scaled down, and rotated as it was taken", async () => {
  const { user, number } = await torn();
  const given = await photograph(4000, 3000).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  await addReturnPicture(db(), user.id, number, given);
  const [id = ""] = await idsOf(number);
  expect(await sharp(await returnPicture(db(), id)).metadata()).toMatchObject({ width: 1500, height: 2000 });
});

test("transparent parts become white, and the stored JPEG is compact", async () => {
  const { user, number } = await torn();
  const clear = sharp({ create: { width: 32, height: 32, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
  await addReturnPicture(db(), user.id, number, await clear.png().toBuffer());
  const [id = ""] = await idsOf(number);
  const kept = sharp(await returnPicture(db(), id));
  expect((await kept.stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  expect(await kept.metadata()).toMatchObject({ isProgressive: true }); // the default of mozjpeg only
});

test("photographs keep the order in which they were added", async () => {
  const { user, number } = await torn();
  for (const side of [31, 32, 33])
    await addReturnPicture(db(), user.id, number, await photograph(side, side).jpeg().toBuffer());
  const places = db()
    .selectFrom("returnPictures")
    .select("place")
    .where("id", "in", await idsOf(number));
  expect((await places.orderBy("place").execute()).map(({ place }) => place)).toEqual([1, 2, 3]);
});

test("a photograph that is sent again after a lost response is the same, also if no more are accepted", async () => {
  const { user, number } = await torn();
  const [given = Buffer.alloc(0), ...others] = await Promise.all(
    [32, 33, 34, 35].map((side) => photograph(side, side).jpeg().toBuffer()),
  );
  const add = (picture: Buffer) => addReturnPicture(db(), user.id, number, picture);
  expect(await Promise.all([add(given), add(given), add(given)])).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
  const [id = "", ...more] = await idsOf(number);
  expect(more).toEqual([]);
  for (const other of others) expect(await add(other)).toEqual({ ok: true });
  expect(await add(given)).toEqual({ ok: true });
  expect(await idsOf(number)).toHaveLength(4);
  await approveReturn(db(), number, { by });
  expect(await add(given)).toEqual({ ok: false, fault: "not-open" });
  expect(await returnPicture(db(), id, user.id)).toBeDefined();
});

test("the same photograph can be sent with two returns", async () => {
  const given = await photograph(32, 32).jpeg().toBuffer();
  const [one, two] = [await torn(), await torn()];
  for (const { user, number } of [one, two])
    expect(await addReturnPicture(db(), user.id, number, given)).toEqual({ ok: true });
  expect(await idsOf(one.number)).not.toEqual(await idsOf(two.number));
});

describe("S55 refused is", () => {
  test.each([
    ["a text", Buffer.from("no picture")],
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["nothing", Buffer.alloc(0)],
    ["half a picture", async () => (await photograph().jpeg().toBuffer()).subarray(0, 300)],
    ["a picture of a kind that no camera makes", () => photograph(32, 32).gif().toBuffer()],
    ["a small file of more than 40 million dots", () => photograph(8001, 5000).png().toBuffer()],
  ])("%s", async (_, made) => {
    const { user, number } = await torn();
    const given = typeof made === "function" ? await made() : made;
    expect(await addReturnPicture(db(), user.id, number, given)).toEqual({ ok: false, fault: "no-picture" });
  });

  test("2 pictures that take too much processor time together, with a message", async () => {
    const { user, number } = await torn();
    const given = await photograph(32, 32).jpeg().toBuffer();
    const budget = { processorMs: 60_000 };
    expect(await addReturnPicture(db(), user.id, number, given, { budget })).toEqual({ ok: true });
    expect(budget.processorMs).toBeLessThan(60_000);
    const spent = { processorMs: 0 };
    const other = await photograph(33, 33).png().toBuffer();
    expect(await addReturnPicture(db(), user.id, number, other, { budget: spent })).toEqual({
      ok: false,
      fault: "too-slow",
    });
    const leaving = AbortSignal.abort(new Error("gone"));
    await expect(addReturnPicture(db(), user.id, number, other, { signal: leaving })).rejects.toThrow("gone");
    expect(await idsOf(number)).toHaveLength(1);
  });

  test.each([
    ["a return of what only does not fit", async ({ number }: Torn) => number, "size"],
    ["a return that there is not", async () => "RT-0000-00", "damaged"],
  ] as const)("one to %s", async (_, numberOf, reason) => {
    const { user, number, reference, productId } = await torn(reason);
    const given = await photograph(32, 32).jpeg().toBuffer();
    const to = await numberOf({ user, number, reference, productId });
    expect(await addReturnPicture(db(), user.id, to, given)).toEqual({ ok: false, fault: "not-open" });
  });

  test("a fifth picture, one to somebody else's return, and one to a decided return; no file stays behind", async () => {
    const { user, number } = await torn();
    const given = await photograph(32, 32).jpeg().toBuffer();
    const stranger = await makeShopper(db());
    const before = (await listPrivatePictures()).length;
    expect(await addReturnPicture(db(), stranger.id, number, given)).toEqual({ ok: false, fault: "not-open" });
    const pictures = [21, 22, 23, 24, 25].map((side) => photograph(side, side).jpeg().toBuffer());
    const five = await Promise.all(
      pictures.map(async (picture) => addReturnPicture(db(), user.id, number, await picture)),
    );
    expect(five.filter(({ ok }) => ok)).toHaveLength(4);
    expect(await listPrivatePictures()).toHaveLength(before + 4);
    await approveReturn(db(), number, { by });
    expect(await addReturnPicture(db(), user.id, number, given)).toEqual({ ok: false, fault: "not-open" });
    expect(await listPrivatePictures()).toHaveLength(before + 4);
  });
});

describe("S56 slow uploads of photographs do not delay others:", () => {
  const seen: string[] = []; // uploads that are being read or have a response
  let gone: PromiseWithResolvers<void>;
  const sent: Promise<unknown>[] = [];
  beforeEach(() => {
    gone = Promise.withResolvers<void>();
    gone.promise.catch(() => undefined); // prevents an unhandled rejection if nothing reads the upload
  });
  afterEach(async () => {
    vi.useRealTimers();
    gone.reject(new Error("gone"));
    await Promise.allSettled(sent.splice(0));
    seen.length = 0;
  });
  function sendSlowly(user: Shopper, reference: string): void {
    const pull = () => {
      seen.push("read");
      return gone.promise;
    };
    const endless = new ReadableStream({ pull }, { highWaterMark: 0 });
    const answered = send(user, reference, endless, "multipart/form-data; boundary=a");
    sent.push(answered.then(({ headers }) => seen.push(problemIn(headers))));
  }
  const problemIn = (headers: Headers) => /problem=([\w-]+)/.exec(headers.get("location") ?? "")?.[1] ?? "";

  async function isTaken({ user, number, reference }: Torn): Promise<boolean> {
    const form = new FormData();
    form.set("number", number);
    form.set("picture", new Blob([await photograph(32, 32).jpeg().toBuffer()]), "tear.jpg");
    const { headers } = await send(user, reference, form);
    return headers.get("location") === `/order/${reference}/return#${number}`;
  }

  test("those of one account are read one at a time", async () => {
    const [buyer, slow] = [await torn(), await torn()];
    for (let i = 0; i < 4; i++) sendSlowly(slow.user, slow.reference);
    await expect.poll(() => seen.toSorted()).toEqual(["busy", "busy", "busy", "read"]);
    expect(await isTaken(buyer)).toBe(true);
  });

  test("those of accounts without such a return are not read", async () => {
    const buyer = await torn();
    const decided = await torn();
    await declineReturn(db(), decided.number, { by, message: "We see no tear" });
    sendSlowly(decided.user, decided.reference);
    for (let i = 0; i < 3; i++) sendSlowly(await makeShopper(db()), i % 2 ? buyer.reference : "made-up");
    const other = await torn();
    sendSlowly(other.user, buyer.reference);
    await expect.poll(() => seen).toEqual(Array(5).fill("not-open"));
    expect(await isTaken(buyer)).toBe(true);
  });

  test("those of four buyers give way to another after ten seconds", async () => {
    const buyer = await torn();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    for (let i = 0; i < 4; i++) {
      const slow = await torn();
      sendSlowly(slow.user, slow.reference);
      await expect.poll(() => seen).toHaveLength(i + 1);
    }
    expect(seen).toEqual(Array(4).fill("read"));
    const taken = isTaken(buyer);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await taken).toBe(true);
    vi.useRealTimers();
    await expect.poll(() => seen).toEqual([...Array(4).fill("read"), "busy"]);
  });

  test("5 those of an account are refused after 20 tries in an hour, and those of a network wait for turns", async () => {
    const [buyer, other] = [await torn(), await torn()];
    const tries = async ({ user, reference }: Torn, times: number, from: string) => {
      const problems = [];
      for (let i = 0; i < times; i++)
        problems.push(problemIn((await send(user, reference, new FormData(), undefined, from)).headers));
      return problems;
    };
    expect(await tries(buyer, 21, "203.0.113.1")).toEqual([...Array(20).fill("none"), "too-often"]);
    for (let i = 0; i < 5; i++) await tries(await torn(), i ? 20 : 19, "203.0.113.2");
    expect(await tries(other, 2, "203.0.113.2")).toEqual(["none", "none"]);
    expect(await tries(other, 1, "203.0.113.3")).toEqual(["none"]);
  });
});

/** Posts photographs as this shopper. Returns the URL of the redirect. */
async function send(user: Shopper, reference: string, body: BodyInit, type?: string, from = "127.0.0.1") {
  const headers = {
    cookie: await cookieOf(user),
    [CLIENT_ADDRESS_HEADER]: from,
    ...(type && { "content-type": type }),
  };
  const request = new Request("http://localhost", { method: "POST", headers, body, duplex: "half" } as RequestInit);
  const args = { request, params: { reference }, context: {} } as unknown as Parameters<typeof action>[0];
  const led: unknown = await action(args).catch((thrown: unknown) => thrown);
  if (led instanceof Response) return led;
  throw led;
}

test("S38 S55 only the order's account gets a photograph, and /images/ has none", async () => {
  const { user, number } = await torn();
  await addReturnPicture(db(), user.id, number, await photograph(32, 32).jpeg().toBuffer());
  const [id = ""] = await idsOf(number);
  const stranger = await makeShopper(db());
  expect(await returnPicture(db(), id, stranger.id)).toBeUndefined();
  expect(await returnPicture(db(), id, user.id)).toBeDefined();
  for (const name of [nameOfPicture(id), `returns/${id}/640.jpg`])
    expect(await pictureResponse(new Request(`http://localhost/images/${name}`))).toBeNull();
});

test("S55 a photograph's response is nothing but a picture, and is not cached", async () => {
  const { user, number, reference } = await torn();
  await addReturnPicture(db(), user.id, number, await photograph(32, 32).jpeg().toBuffer());
  const [id = ""] = await idsOf(number);
  const request = new Request("http://localhost", { headers: { cookie: await cookieOf(user) } });
  const args = { request, params: { reference, id }, context: {} } as unknown as Parameters<typeof loader>[0];
  expect(Object.fromEntries((await loader(args)).headers)).toEqual({
    "cache-control": "private, no-store",
    "content-disposition": `inline; filename="${id}.jpg"`,
    "content-security-policy": "default-src 'none'",
    "content-type": "image/jpeg",
  });
});

test("a return because of the size awaits no photographs", async () => {
  const [damaged, large] = [await torn(), await torn("size")];
  expect(await awaitsPictures(db(), damaged.user.id, damaged.reference)).toBe(true);
  expect(await awaitsPictures(db(), large.user.id, large.reference)).toBe(false);
});

test.each(["", "-".repeat(36), "0".repeat(36), "../secret"])("a picture with the id %j does not exist", async (id) => {
  expect(await returnPicture(db(), id)).toBeUndefined();
});

test("a deletion of a customer without pictures removes none of others", async () => {
  const { user, number } = await torn();
  await addReturnPicture(db(), user.id, number, await photograph(32, 32).jpeg().toBuffer());
  const removals = async () =>
    (await sql`select from jobs.job where name = 'remove-pictures'`.execute(db())).rows.length;
  const before = await removals();
  const other = await torn();
  await db()
    .transaction()
    .execute(async (trx) => {
      const theirs = await trx.selectFrom("orders").select("id").where("userId", "=", other.user.id).execute();
      expect(theirs).toHaveLength(1);
      await forgetReturnPictures(
        trx,
        theirs.map(({ id }) => id),
      );
    });
  expect([await removals(), (await idsOf(number)).length]).toEqual([before, 1]);
});

test("a customer's data has the return and its pictures' URLs, and a deletion removes both", async () => {
  const { user, number, reference } = await torn();
  await addReturnPicture(db(), user.id, number, await photograph(32, 32).jpeg().toBuffer());
  const [id = ""] = await idsOf(number);
  const document = await customerData(db(), user.id, "https://shop.example");
  expect(document?.returns).toMatchObject([
    { number, reference, reason: "damaged", pictures: [`https://shop.example/order/${reference}/pictures/${id}`] },
  ]);
  await declineReturn(db(), number, { by, message: "We see no tear" });
  expect(await command(db(), ["customers", "delete", user.email])).toMatchObject({ code: 0 });
  expect(await idsOf(number)).toEqual([]);
  const { rows } = await sql<{ data: { names: string[] } }>`
    select data from jobs.job where name = 'remove-pictures'`.execute(db());
  expect(rows.flatMap(({ data }) => data.names)).toContain(nameOfPicture(id));
  await removePictures([nameOfPicture(id)]);
  expect(await listPrivatePictures()).not.toContain(nameOfPicture(id));
  const kept = await db()
    .selectFrom("returns")
    .select(["state", "words", "answer"])
    .where("number", "=", number)
    .execute();
  expect(kept).toEqual([{ state: "declined", words: "", answer: "" }]);
});
