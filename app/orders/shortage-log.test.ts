import { expect, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { logShortages } from "./shortage-log.server.ts";

const database = useDatabase();

test("each unavailable size is logged with its own reason", async () => {
  const db = database.db();
  const [hidden, jersey, cap] = await Promise.all([
    makeProduct(db, { M: 1 }),
    makeProduct(db, { M: 1 }),
    makeProduct(db, { L: 1 }),
  ]);
  await db.updateTable("products").set({ hidden: true }).where("id", "=", hidden).execute();
  const warn = vi.spyOn(log, "warn");
  const short = (productId: string, size: string) => ({ productId, size, quantity: 3, available: 1 });
  await logShortages(db, [
    short(hidden, "M"),
    short("gone", "M"),
    short(jersey, "M"),
    short(jersey, "L"),
    short(cap, "M"),
  ]);
  expect(warn.mock.calls).toEqual([
    [{ product: hidden, size: "M" }, "product not found"],
    [{ product: "gone", size: "M" }, "product not found"],
    [{ product: jersey, size: "M", wanted: 3, available: 1 }, "insufficient quantity for the size"],
    [{ product: jersey, size: "L" }, "size not found"],
    [{ product: cap, size: "M" }, "size not found"],
  ]);
});
