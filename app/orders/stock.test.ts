import { describe, expect, test } from "vitest";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { endHold, holdUnits, lockSizes, restockUnits, sellUnreserved } from "./reservation.server.ts";

const database = useDatabase();
const inOne = <T>(work: (trx: Transaction) => Promise<T>) => database.db().transaction().execute(work);

const SIZES = { M: 5, L: 2, XL: 1 };
/** A product, its units by size, and a function that reads each size's stock as "supplied sold reserved". */
async function jersey() {
  const productId = await makeProduct(database.db(), SIZES);
  const units = (...pieces: [size: string, quantity: number][]) =>
    pieces.map(([size, quantity]) => ({ productId, size, quantity }));
  const stock = async () => {
    const rows = await database
      .db()
      .selectFrom("productSizes")
      .select(["size", "supplied", "sold", "reserved"])
      .where("productId", "=", productId)
      .execute();
    return Object.fromEntries(
      rows.map(({ size, supplied, sold, reserved }) => [size, `${supplied} ${sold} ${reserved}`]),
    );
  };
  return { productId, units, stock };
}
const UNTOUCHED = { M: "5 0 0", L: "2 0 0", XL: "1 0 0" };

test("locked sizes have their unreserved stock; an unknown one has none", async () => {
  const { units, stock } = await jersey();
  await inOne((trx) => holdUnits(trx, units(["M", 2])));
  const wanted = units(["M", 1], ["L", 1], ["M", 3], ["XXL", 1]);
  const available = await inOne((trx) => lockSizes(trx, wanted));
  expect(wanted.map(available)).toEqual([3, 2, 3, 0]);
  expect(await stock()).toEqual({ ...UNTOUCHED, M: "5 0 2" });
});

describe("units for an exchange", () => {
  test("are reserved, each size once whatever its lines, and then released or sold", async () => {
    const { units, stock } = await jersey();
    const pieces = units(["M", 1], ["L", 2], ["M", 2]);
    expect(await inOne((trx) => holdUnits(trx, pieces))).toEqual([]);
    expect(await stock()).toEqual({ ...UNTOUCHED, M: "5 0 3", L: "2 0 2" });
    await inOne((trx) => endHold(trx, units(["M", 1], ["M", 1]), "released"));
    expect(await stock()).toEqual({ ...UNTOUCHED, M: "5 0 1", L: "2 0 2" });
    await inOne((trx) => endHold(trx, units(["M", 1], ["L", 1], ["L", 1]), "sold"));
    expect(await stock()).toEqual({ ...UNTOUCHED, M: "5 1 0", L: "2 2 0" });
  });

  test("are not reserved if one of them is unavailable, which is returned", async () => {
    const { units, stock, productId } = await jersey();
    const missing = await inOne((trx) => holdUnits(trx, units(["M", 1], ["XL", 1], ["XL", 1])));
    expect(missing).toEqual([{ productId, size: "XL", quantity: 2, available: 1 }]);
    expect(await stock()).toEqual(UNTOUCHED);
  });

  test("without any pieces change nothing", async () => {
    const { stock } = await jersey();
    expect(await inOne((trx) => holdUnits(trx, []))).toEqual([]);
    await inOne((trx) => endHold(trx, [], "sold"));
    expect(await stock()).toEqual(UNTOUCHED);
  });
});

test("units can be sold without a reservation, and restocked without changing the sold number", async () => {
  const { units, stock } = await jersey();
  await inOne((trx) => sellUnreserved(trx, units(["M", 2], ["L", 1])));
  expect(await stock()).toEqual({ ...UNTOUCHED, M: "5 2 0", L: "2 1 0" });
  await inOne((trx) => restockUnits(trx, units(["M", 1])));
  expect(await stock()).toEqual({ ...UNTOUCHED, M: "6 2 0", L: "2 1 0" });
});
