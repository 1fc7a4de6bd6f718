import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { offerTerms } from "#app/offers/terms.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { useDatabase } from "#tests/support/database.ts";
import { OFFICE } from "#tests/support/returns.ts";
import {
  addOffer,
  changeOffer,
  editOffer,
  listCodes,
  listOffers,
  makeCodes,
  offerProblems,
  storedOffer,
} from "./offers.server.ts";

const database = useDatabase();
const db = () => database.db();
afterEach(async () => {
  await db().deleteFrom("offerCodes").execute();
  await db().deleteFrom("offers").execute();
});

const terms = offerTerms.parse({ gift: { kind: "percent", percent: 10 } });

test("a form that is sent again makes no second offer", async () => {
  const offer = { name: "Friday", terms, byCode: false, key: randomUUID() };
  const [{ id }, again] = await Promise.all([addOffer(db(), OFFICE, offer), addOffer(db(), OFFICE, offer)]);
  expect(again.id).toBe(id);
  expect((await listOffers(db())).filter(({ name }) => name === "Friday")).toHaveLength(1);
  expect((await addOffer(db(), OFFICE, { ...offer, key: randomUUID() })).id).not.toBe(id);
});

test("a form that is sent again makes no more codes", async () => {
  const { id } = await addOffer(db(), OFFICE, { name: "Radio", terms, byCode: true });
  const batch = randomUUID();
  const [codes, again] = await Promise.all([1, 2].map(() => makeCodes(db(), OFFICE, id, 20, batch)));
  expect(again?.toSorted()).toEqual(codes?.toSorted());
  await makeCodes(db(), OFFICE, id, 5, randomUUID());
  expect(await listCodes(db(), id)).toHaveLength(25);
});

test.each([
  ["a product that is not there", { products: ["no-such"] }, undefined, ["products"]],
  ["a country without delivery", { countries: ["Ghana", "Atlantis"] }, undefined, ["countries"]],
  ["a code that is taken, written otherwise", {}, "frl-day", ["code"]],
  ["none", { countries: ["nigeria", "Ghana"] }, "MONDAY", []],
])("names the fields of %s", async (_, some, code, fields) => {
  await seedShipping(db());
  await addOffer(db(), OFFICE, { name: "Friday", terms, byCode: true, code: "FRIDAY" });
  const problems = await offerProblems(db(), { terms: { ...terms, ...some }, code });
  expect(Object.keys(problems)).toEqual(fields);
});

describe("an offer that runs", () => {
  const friday = { name: "Friday", terms, byCode: false };
  const monday = { ...friday, name: "Monday", terms: offerTerms.parse({ gift: { kind: "percent", percent: 20 } }) };
  const version = async (id: number) => (await storedOffer(db(), id))?.version;

  test("is changed: carts are priced anew, and the log has both sentences", async () => {
    const { id, startsAt } = await addOffer(db(), OFFICE, friday);
    const changed = await editOffer(db(), OFFICE, id, 1, { ...monday, startsAt: new Date(Date.now() + 60_000) });
    expect(changed).toMatchObject({ name: "Monday", state: "running", startsAt });
    expect(await version(id)).toBe(2);
    const log = db().selectFrom("auditLog").select(["before", "after"]).where("action", "=", "offers set");
    expect(await log.executeTakeFirst()).toMatchObject({
      before: { name: "Friday", sentence: "10% off everything, not on sale prices" },
      after: { name: "Monday", sentence: "20% off everything, not on sale prices" },
    });
  });

  test("is not changed if somebody else has changed it meanwhile", async () => {
    const { id } = await addOffer(db(), OFFICE, friday);
    await editOffer(db(), OFFICE, id, 1, monday);
    expect(await editOffer(db(), OFFICE, id, 1, friday)).toEqual({ ok: false, isStale: true, version: 2 });
    expect((await storedOffer(db(), id))?.name).toBe("Monday");
  });

  test.each<[string, Partial<typeof friday> & { mostUses?: number; endsAt?: Date }, string]>([
    ["into one whose uses are counted from now on", { mostUses: 5 }, "Whether its uses are limited can’t be changed"],
    ["into one that is over", { endsAt: new Date(0) }, "It would be over already"],
    ["to a product that is not there", { terms: { ...terms, products: ["no-such"] } }, "There’s no product"],
  ])("is not changed %s", async (_, some, why) => {
    const { id } = await addOffer(db(), OFFICE, friday);
    await expect(editOffer(db(), OFFICE, id, 1, { ...friday, ...some })).rejects.toThrow(why);
    expect(await version(id)).toBe(1);
  });

  test("stays over once it has ended", async () => {
    const { id } = await addOffer(db(), OFFICE, friday);
    await changeOffer(db(), OFFICE, id, "end");
    await expect(editOffer(db(), OFFICE, id, 1, monday)).rejects.toThrow("It has ended");
  });

  test("stays over if it is ended while the change waits", async () => {
    const { id } = await addOffer(db(), OFFICE, friday);
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const ending = db()
      .transaction()
      .execute(async (trx) => {
        await trx.updateTable("offers").set({ endsAt: new Date() }).where("id", "=", id).execute();
        hold();
        await expect.poll(() => countBlocked(db()), { timeout: 30_000 }).toBe(1);
      });
    await isHeld;
    await expect(editOffer(db(), OFFICE, id, 1, monday)).rejects.toThrow("It has ended");
    await ending;
    expect((await storedOffer(db(), id))?.name).toBe("Friday");
  });
});
