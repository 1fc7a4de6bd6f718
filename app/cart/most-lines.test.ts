import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import * as api from "#app/routes/api.cart.ts";
import { action as changeCart } from "#app/routes/cart.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { cookieOf } from "#tests/support/session.ts";
import { guestPiece, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { addToCart, mergeGuestCart, setQuantity } from "./cart.server.ts";
import { MOST_LINES } from "./cart.ts";
import { fits, readGuestCart, slimItems } from "./guest-item.ts";
import { type Line, linesToDrop } from "./merge.ts";

const database = useDatabase();
const db = () => database.db();
const ids: string[] = [];

beforeAll(async () => {
  for (let at = 0; at <= MOST_LINES; at++) ids.push(`many-${at}`);
  await sql`insert into products (id, title, color, price_cents)
    select id, 'Piece ' || id, 'Green', 4999 from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) id`.execute(
    db(),
  );
  await sql`insert into product_sizes (product_id, size, supplied)
    select id, 'M', 9 from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) id`.execute(db());
});

/** A shopper with the first `count` products in the cart, each added a minute after the one before. */
async function withLines(count: number): Promise<Shopper> {
  const user = await makeShopper(db());
  await sql`insert into cart_lines (user_id, product_id, size, color, quantity, price_cents, added_at)
    select ${user.id}, 'many-' || at, 'M', 'Green', 1, 4999, now() - interval '1 day' + at * interval '1 minute'
    from generate_series(0, ${count}::integer - 1) at`.execute(db());
  return user;
}

const idsOf = async ({ id }: Shopper) =>
  (await db().selectFrom("cartLines").select("productId").where("userId", "=", id).execute()).map(
    (row) => row.productId,
  );
const full = expect.stringContaining("200 different items");
const last = () => `many-${MOST_LINES}`;

describe("4 a cart of an account", () => {
  test("4 takes 200 lines, says why it refuses another, and takes more pieces of those that it has", async () => {
    const user = await withLines(MOST_LINES - 1);
    expect(await addToCart(db(), user.id, { id: "many-199", size: "M", quantity: 1 })).toMatchObject({ ok: true });
    for (const write of [addToCart, setQuantity])
      expect(await write(db(), user.id, { id: last(), size: "M", quantity: 1 })).toEqual({ ok: false, problem: full });
    expect(await addToCart(db(), user.id, { id: "many-0", size: "M", quantity: 1 })).toMatchObject({ ok: true });
    expect(await idsOf(user)).toHaveLength(MOST_LINES);
  });

  test("4 is counted with the index, even by a plan that was made while all carts were empty", async () => {
    const count = sql`select count_cart_lines('somebody')`;
    const scans = sql<{ whole: string; byIndex: string }>`
      select seq_scan as whole, idx_scan as by_index from pg_stat_xact_user_tables where relname = 'cart_lines'`;
    await db()
      .transaction()
      .execute(async (on) => {
        await sql`truncate cart_lines`.execute(on);
        await sql`analyze cart_lines`.execute(on);
        const before = (await scans.execute(on)).rows[0];
        await count.execute(on);
        const after = (await scans.execute(on)).rows[0];
        expect(after).toEqual({ whole: before?.whole, byIndex: String(Number(before?.byIndex) + 1) });
        await sql`rollback`.execute(on);
      });
  });

  test("4 has no 201st line after simultaneous additions", async () => {
    const user = await withLines(MOST_LINES - 3);
    const more = await Promise.all(
      Array.from({ length: 4 }, (_, at) => makeProduct(db(), { M: 1 }).then((id) => ({ id, at }))),
    );
    const done = await Promise.all(more.map(({ id }) => addToCart(db(), user.id, { id, size: "M", quantity: 1 })));
    expect(done.filter(({ ok }) => ok)).toHaveLength(3);
    expect(await idsOf(user)).toHaveLength(MOST_LINES);
  });

  test("4 refuses the 201st line with its message, in the API and in the form without script", async () => {
    const cookie = await cookieOf(await withLines(MOST_LINES));
    const wanted = { intent: "add", id: last(), size: "M" };
    const json = new Request("http://localhost:3000/api/cart", {
      method: "POST",
      headers: { cookie },
      body: JSON.stringify({ ...wanted, quantity: 1 }),
    });
    expect(await api.post(json)).toMatchObject({ json: { problem: full } });
    const form = new Request("http://localhost:3000/Cart", {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams(wanted),
    });
    const args = { request: form, params: {}, context: {} } as unknown as Parameters<typeof changeCart>[0];
    expect(await changeCart(args)).toMatchObject({ data: { problem: full }, init: { status: 400 } });
  });
});

describe("4 a merge of more than 200 lines", () => {
  test("4 keeps the newest 200 and names the rest", async () => {
    const user = await withLines(MOST_LINES);
    const guest = { ...guestPiece(last()), addedAt: new Date().toISOString() };
    expect(await mergeGuestCart(db(), user.id, randomUUID(), [guest])).toEqual({
      ok: true,
      added: [`Piece ${last()}`],
      adjusted: false,
      skipped: [],
      dropped: ["Piece many-0"],
    });
    const kept = await idsOf(user);
    expect([kept.length, kept.includes(last()), kept.includes("many-0")]).toEqual([MOST_LINES, true, false]);
  });

  test("4 leaves out a guest's older line, and takes a line without a time for new", async () => {
    const [old, unknown] = ["2020-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"];
    for (const [addedAt, dropped] of [
      [old, `Piece ${last()}`],
      [unknown, "Piece many-0"],
    ] as const) {
      const user = await withLines(MOST_LINES);
      const guest = { ...guestPiece(last()), addedAt };
      expect(await mergeGuestCart(db(), user.id, randomUUID(), [guest])).toMatchObject({ dropped: [dropped] });
      expect(await idsOf(user)).toHaveLength(MOST_LINES);
    }
  });

  test.each<[string, number[], number[], number, number[]]>([
    ["nothing beyond the cap", [1, 2], [3], 3, []],
    ["the oldest of the account", [1, 2], [3, 4], 3, [1]],
    ["a new one that is older", [5, 6], [1], 2, [1]],
    ["the account's first where times are equal", [1, 1], [1], 2, [0]],
  ])("4 linesToDrop returns %s", (_, account, guest, most, times) => {
    const line = (at: number, name: string): Line & { addedAt: number } => ({
      productId: name,
      size: "M",
      color: "Green",
      quantity: 1,
      addedAt: at,
    });
    const [held, added] = [account.map((at) => line(at, `a${at}`)), guest.map((at) => line(at, `g${at}`))];
    const dropped = linesToDrop(held, added, most);
    expect(dropped).toHaveLength(times.length);
    if (times[0]) expect(dropped.map(({ addedAt }) => addedAt)).toEqual(times);
  });
});

test("4 a guest's cart takes 200 lines, and a sign-in's form of 64 KB carries them", () => {
  const items = Array.from({ length: MOST_LINES }, (_, at) => guestPiece(`unity-home-jersey-edition-${at}`));
  expect([fits(items), fits([...items, ...items.slice(0, 1)])]).toEqual([true, false]);
  const sent = JSON.stringify(slimItems(items));
  expect(new URLSearchParams({ guestCart: sent }).toString().length).toBeLessThan(60_000);
  expect(readGuestCart(sent)).toHaveLength(MOST_LINES);
});
