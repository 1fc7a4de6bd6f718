import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#app/infra/audit.server.ts";
import { loadShippingRates, seedShipping } from "#app/shipping/rates.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { importRates, previewRates } from "./import.server.ts";
import { changePlaces, deliveryPlaces } from "./rates.server.ts";
import type { PlaceEdit, RateKind } from "./rates.ts";
import { ratesCsv, readRatesSheet } from "./sheet.server.ts";

const database = useDatabase();
const db = () => database.db();
const by: Actor = { name: "bisi@example.com", door: "office" };

beforeEach(async () => {
  await db().deleteFrom("shippingRates").execute();
  await seedShipping(db());
});

const placeOf = async (kind: RateKind, name: string) =>
  (await deliveryPlaces(db())).find((place) => place.kind === kind && place.name === name) ?? null;

async function edit(kind: RateKind, name: string, rateCents: number, details = {}): Promise<PlaceEdit> {
  const place = await placeOf(kind, name);
  const was = place && { rateCents: place.rateCents, details: place.details };
  return { kind, name, was, now: { rateCents, details: { ...was?.details, ...details } } };
}
const changes = () => db().selectFrom("auditLog").selectAll().orderBy("id", "desc").execute();

describe("changing places", () => {
  test("several at once is one row of the log, and done again changes nothing", async () => {
    const edits = [
      await edit("state", "Lagos", 400),
      await edit("pickup", "Yaba", 250, { hours: "Mon-Fri 9:00-17:00" }),
      await edit("country", "ZA", 3000),
    ];
    expect(await changePlaces(db(), by, edits)).toEqual({ ok: true, what: "3 places changed" });
    expect(await placeOf("pickup", "Yaba")).toMatchObject({
      rateCents: 250,
      details: { hours: "Mon-Fri 9:00-17:00", state: "Lagos" },
    });
    const before = await changes();
    expect(before[0]).toMatchObject({ action: "shipping set", actor: by.name, before: { "state Lagos": "$3.50" } });
    expect(await changePlaces(db(), by, edits)).toEqual({ ok: true, what: "Nothing to change" });
    expect((await changes()).length).toBe(before.length);
  });

  test("does nothing at all if somebody else has changed one of them meanwhile", async () => {
    const [mine, other] = [await edit("state", "Lagos", 400), await edit("state", "Ogun", 460)];
    await changePlaces(db(), by, [await edit("state", "Lagos", 380)]);
    const stale = { ok: false, isStale: true, theirs: ["state Lagos"] };
    expect(await changePlaces(db(), by, [mine, other])).toEqual(stale);
    expect([(await placeOf("state", "Lagos"))?.rateCents, (await placeOf("state", "Ogun"))?.rateCents]).toEqual([
      380, 450,
    ]);
  });

  test("is refused for one of two members who change a place at once", async () => {
    const edits = [await edit("state", "Lagos", 400), await edit("state", "Lagos", 410)];
    const both = await Promise.all(edits.map((one) => changePlaces(db(), by, [one])));
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });

  test.each([
    ["a tenth", 35],
    ["nothing", 0],
    ["ten times more", 3500],
  ])("%s is asked about", async (_, cents) => {
    const edits = [await edit("state", "Lagos", cents)];
    expect(await changePlaces(db(), by, edits)).toMatchObject({
      ok: false,
      doubt: expect.stringContaining("state Lagos: $3.50"),
    });
    expect(await changePlaces(db(), by, edits, true)).toMatchObject({ ok: true });
  });

  test.each([
    [0, "$0.00, delivery for nothing"],
    [35_000, "$350.00, where the dearest other is $"],
    [20, "$0.20, where the cheapest other is $"],
  ])("a new one of %i cents is asked about, as it is far from the others", async (cents, says) => {
    const edits = [await edit("state", "New Lagos", cents)];
    expect(await changePlaces(db(), by, edits)).toMatchObject({
      ok: false,
      doubt: expect.stringContaining(`state New Lagos: new, ${says}`),
    });
    expect(await placeOf("state", "New Lagos")).toBeNull();
    expect(await changePlaces(db(), by, edits, true)).toMatchObject({ ok: true });
  });

  test("a new one like the others, and the first of its kind, are not asked about", async () => {
    expect(await changePlaces(db(), by, [await edit("state", "New Lagos", 400)])).toMatchObject({ ok: true });
    await db().deleteFrom("shippingRates").where("kind", "=", "country").execute();
    expect(await changePlaces(db(), by, [await edit("country", "GH", 90_000)])).toMatchObject({ ok: true });
  });

  test("the log has only what has changed of a pick-up centre, such as the hours", async () => {
    await changePlaces(db(), by, [await edit("pickup", "Yaba", 200, { hours: "Mon-Fri 9:00-17:00" })]);
    expect((await changes())[0]).toMatchObject({
      before: { "pickup Yaba, hours": expect.stringContaining("Mon") },
      after: { "pickup Yaba, hours": "Mon-Fri 9:00-17:00" },
    });
    expect(Object.keys((await changes())[0]?.after ?? {})).toEqual(["pickup Yaba, hours"]);
    const { was } = await edit("pickup", "Yaba", 0);
    await changePlaces(db(), by, [{ kind: "pickup", name: "Yaba", was, now: null }], true);
    expect((await changes())[0]).toMatchObject({
      before: { "pickup Yaba": "$2.00", "pickup Yaba, address": was?.details.address },
      after: {},
    });
  });

  test("the removal of a place is asked about, and ends its delivery", async () => {
    const { was } = await edit("pickup", "Yaba", 0);
    const edits: PlaceEdit[] = [{ kind: "pickup", name: "Yaba", was, now: null }];
    expect(await changePlaces(db(), by, edits)).toMatchObject({ doubt: "pickup Yaba: $2.00 → removed" });
    await changePlaces(db(), by, edits, true);
    expect((await loadShippingRates(db())).pickups.map(({ name }) => name)).not.toContain("Yaba");
  });
});

describe("a file", () => {
  test("what is exported changes nothing when it is imported", async () => {
    const places = await deliveryPlaces(db());
    expect(readRatesSheet(`\uFEFF${ratesCsv(places)}`)).toMatchObject({ faults: [], notes: [], places });
    const preview = await previewRates(db(), { text: ratesCsv(places), isAll: true });
    expect(preview).toMatchObject({ added: [], changed: [], dropped: [], unchanged: places.length });
    expect(await importRates(db(), by, { text: ratesCsv(places), isAll: true, digest: preview.digest })).toMatchObject({
      ok: false,
    });
  });

  test("what a spreadsheet would carry out is text in it, and comes back as it was", async () => {
    const bring = "=1+1\n+2348031234567";
    await changePlaces(db(), by, [await edit("pickup", "Yaba", 200, { bring })]);
    const csv = ratesCsv(await deliveryPlaces(db()));
    expect(csv).toContain(`"'=1+1\n'+2348031234567"`);
    expect(await previewRates(db(), { text: csv, isAll: true })).toMatchObject({ changed: [], faults: [] });
  });

  test("a rate that is too large to be stored is a mistake like others", async () => {
    const text = "kind,name,dollars\nstate,Lagos,999999999";
    expect(await previewRates(db(), { text, isAll: false })).toMatchObject({
      faults: [{ row: 2, column: "dollars" }],
    });
  });

  const WRONG = `kind,name,dollars,state,address,hours,colour
state,Lagos,4.00,,,,red
province,Kano,3.00,,,,
state,Ogun,free,,,,
country,Wakanda,20,,,,
pickup,Ojota,2.00,Lagos,"1 Ikorodu Road
Ojota",Mon-Fri,
pickup,,1.00,,,,
state,Lagos,5.00,,,,
`;

  test("mistakes are named by row and column, and the rest can be imported without them", async () => {
    const preview = await previewRates(db(), { text: WRONG, isAll: false });
    expect(preview.faults.map(({ row, column }) => [row, column])).toEqual([
      [3, "kind"],
      [4, "dollars"],
      [5, "name"],
      [7, "name"],
      [8, "name"],
    ]);
    expect(preview.notes[0]).toContain("colour");
    expect(preview).toMatchObject({
      added: [{ name: "pickup Ojota", after: "$2.00" }],
      changed: [{ name: "state Lagos", before: "$3.50", after: "$4.00" }],
      dropped: [],
    });
    expect(await importRates(db(), by, { text: WRONG, isAll: true, digest: preview.digest })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("Fix those rows first"),
    });
    expect(await importRates(db(), by, { text: WRONG, isAll: false, digest: preview.digest })).toMatchObject({
      ok: true,
    });
    expect((await placeOf("pickup", "Ojota"))?.details).toEqual({
      state: "Lagos",
      address: "1 Ikorodu Road\nOjota",
      hours: "Mon-Fri",
    });
    expect((await changes())[0]).toMatchObject({ action: "shipping import" });
  });

  test("25 the first rate of a state is asked about, as all others become free of charge by it", async () => {
    await db().deleteFrom("shippingRates").where("kind", "=", "state").execute();
    const text = "kind,name,dollars\nstate,Lagos,3.50";
    const preview = await previewRates(db(), { text, isAll: false });
    expect([preview.isDoubtful, preview.freed.length]).toEqual([true, 36]);
    const edits: PlaceEdit[] = [{ kind: "state", name: "Lagos", was: null, now: { rateCents: 350, details: {} } }];
    expect(await changePlaces(db(), by, edits)).toMatchObject({
      doubt: expect.stringContaining("delivery is free: Abia"),
    });
    await changePlaces(db(), by, edits, true);
    const later = await previewRates(db(), { text: `${text}\nstate,Kano,3.50`, isAll: false });
    expect(later).toMatchObject({ isDoubtful: false, freed: [] });
  });

  test("25 a place that is there twice has its other mistakes named as well", () => {
    const text = "kind,name,dollars\nstate,Lagos,free\nstate,Lagos,many";
    expect(readRatesSheet(text).faults.map(({ row, column }) => [row, column])).toEqual([
      [2, "dollars"],
      [3, "dollars"],
      [3, "name"],
    ]);
  });

  test("22 rates are read as people write them", () => {
    const text =
      'sep=;\nkind;name;dollars\nstate;Lagos;$3,50\nstate;Ogun;="4.50"\nstate;Kano;₦3,500\nstate;Oyo;0x10\nstate;Edo;1 250,00';
    const { places, faults } = readRatesSheet(text);
    expect(places.map(({ name, rateCents }) => [name, rateCents])).toEqual([
      ["Lagos", 350],
      ["Ogun", 450],
      ["Edo", 125_000],
    ]);
    expect(faults.map(({ row, column }) => [row, column])).toEqual([
      [4, "dollars"],
      [5, "dollars"],
    ]);
  });

  test("whose changes differ from the preview is not imported", async () => {
    const text = "kind;name;dollars\nstate;Lagos;4.00";
    const { digest } = await previewRates(db(), { text, isAll: false });
    await changePlaces(db(), by, [await edit("state", "Lagos", 380)]);
    expect(await importRates(db(), by, { text, isAll: false, digest })).toEqual({ ok: false, isStale: true });
    expect((await placeOf("state", "Lagos"))?.rateCents).toBe(380);
  });

  test("that is the whole list removes other places, after a confirmation", async () => {
    const text = JSON.stringify({
      Nigeria: { homeDelivery: { states: { Lagos: 4 } }, pickup: { locations: {} } },
      Ghana: 12,
    });
    const preview = await previewRates(db(), { text, isAll: true });
    expect(preview.isDoubtful).toBe(true);
    await importRates(db(), by, { text, isAll: true, digest: preview.digest });
    expect((await deliveryPlaces(db())).map(({ name }) => name).sort()).toEqual(["GH", "Lagos"]);
  });

  test.each(["{", '{"Nigeria": 1}', "name,dollars\nLagos,3"])("%s is no file of rates", async (text) => {
    const { faults, added } = await previewRates(db(), { text, isAll: false });
    expect(faults).not.toEqual([]);
    expect(added).toEqual([]);
  });
});
