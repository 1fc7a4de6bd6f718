import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { offerTerms } from "#app/offers/terms.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { OFFICE } from "#tests/support/returns.ts";
import { addOffer, listCodes, listOffers, makeCodes, offerProblems } from "./offers.server.ts";

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
