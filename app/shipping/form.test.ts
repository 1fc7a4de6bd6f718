import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { readShippingDocument, shippingDocument, writeShippingRates } from "./document.server.ts";
import { readShippingForm } from "./form.server.ts";
import { loadShippingRates, pickupCenter, seedShipping, shippingCents } from "./rates.server.ts";
import type { ShippingRates } from "./shipping.ts";

const { db } = useDatabase();
let rates: ShippingRates;
beforeAll(async () => {
  await seedShipping(db());
  rates = await loadShippingRates(db());
});

const read = (fields: Record<string, string>) => readShippingForm(new URLSearchParams(fields), rates);
const person = { firstName: " Ada ", lastName: "Obi", email: "ada@example.com", phoneNumber: "+234 803 123 4567" };
const home = {
  ...person,
  country: "Nigeria",
  deliveryType: "Home Delivery",
  address: "1 Broad Street",
  state: "Lagos",
};
const pickup = { ...person, country: "Nigeria", deliveryType: "Pick-up", pickupCenter: "Yaba" };
const abroad = {
  ...person,
  phoneNumber: "+44 7911 123456",
  country: "United Kingdom",
  address: "1 High Street",
  city: "London",
  state: "Greater London",
  postalCode: "E1 6AN",
};

describe("a good form", () => {
  test("home delivery, trimmed and with the phone folded", () => {
    expect(read({ ...home, localGovernment: "Lagos Island" })).toEqual({
      ok: true,
      form: { ...lagosForm, address: "1 Broad Street" },
      destination: { kind: "home", state: "Lagos" },
    });
  });

  test("pick-up; an address left over from another choice is dropped", () => {
    const result = read({ ...pickup, address: "1 Broad Street", state: "Kano" });
    expect(result).toMatchObject({ ok: true, destination: { kind: "pickup", center: "Yaba" } });
    expect(result.ok && result.form.address).toBe("");
  });

  test.each(["United Kingdom", "GB"])("abroad, the country as %s", (country) => {
    expect(read({ ...abroad, country })).toMatchObject({
      ok: true,
      form: { country: "United Kingdom", postalCode: "E1 6AN", deliveryType: "" },
      destination: { kind: "abroad", country: "GB" },
    });
  });

  test.each(["Nigeria", "NG", "nigeria"])("at home, the country as %s", (country) => {
    expect(read({ ...home, country })).toMatchObject({ ok: true, form: { country: "Nigeria" } });
  });
});

describe("S45 a bad form", () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["no phone number", { ...home, phoneNumber: "12345" }, { phoneNumber: "Please enter a valid phone number" }],
    [
      "another country's number",
      { ...home, phoneNumber: "+44 7911 123456" },
      { phoneNumber: "Please enter a valid phone number" },
    ],
    [
      "no number of that country",
      { ...abroad, phoneNumber: "12" },
      { phoneNumber: "Please enter a valid phone number" },
    ],
    ["no address", { ...home, address: "  " }, { address: "Please enter your address." }],
    ["a state that is none", { ...home, state: "Atlantis" }, { state: "Please enter your state." }],
    [
      "a center that is none",
      { ...pickup, pickupCenter: "Atlantis" },
      { pickupCenter: "Please enter your pick-up center." },
    ],
    ["no e-mail address", { ...home, email: "ada" }, { email: "Please enter a valid email address." }],
    ["no delivery type", { ...home, deliveryType: "" }, { deliveryType: "Please enter your delivery type." }],
    [
      "a delivery type that is none",
      { ...home, deliveryType: "Drone" },
      { deliveryType: "Please enter your delivery type." },
    ],
    [
      "a country that nothing is sent to",
      { ...abroad, country: "Atlantis" },
      { country: "Please enter your country." },
    ],
    [
      "no postal code of that country",
      { ...abroad, country: "US", phoneNumber: "+1 212 555 0123", postalCode: "E1 6AN" },
      { postalCode: "Please enter a valid postal code." },
    ],
    ["too long a name", { ...home, firstName: "x".repeat(101) }, { firstName: "That is too long." }],
  ])("%s", (_, fields, errors) => {
    expect(read(fields)).toMatchObject({ ok: false, errors });
    expect(Object.keys((read(fields) as { errors: object }).errors)).toEqual(Object.keys(errors));
  });

  test.each([
    ["US", "+1 212 555 0123", true],
    ["US", "(212) 555-0123", true],
    ["US", "+1 416 555 0123", true], // Canada's: one calling code
    ["CA", "+1 212 555 0123", true],
    ["US", "+44 7911 123456", false],
    ["US", "+234 803 123 4567", false],
    ["US", "212", false],
    ["GB", "+44 7911 123456", true],
    ["GB", "07911 123456", true],
    ["GB", "+1 212 555 0123", false],
    ["GB", "+234 803 123 4567", false],
    ["GH", "024 123 4567", true],
    ["GH", "+234 803 123 4567", false],
    ["GH", "phone", false],
  ])("in %s %s is a phone number: %s", (country, phoneNumber, is) => {
    const result = read({ ...abroad, country, phoneNumber, postalCode: "10001" });
    const { phoneNumber: problem } = result.ok ? {} : result.errors;
    expect(problem).toBe(is ? undefined : "Please enter a valid phone number");
  });

  test("nothing at all: everything is asked for at once, and what was typed comes back", () => {
    const result = read({ country: "Nigeria", deliveryType: "Home Delivery", firstName: "Ada" });
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(Object.keys(result.errors).sort()).toEqual(["address", "email", "lastName", "phoneNumber", "state"]);
    expect(result.fields.firstName).toBe("Ada");
  });
});

describe("abroad, fields that addresses there do not have", () => {
  const emirates = { ...abroad, country: "AE", phoneNumber: "+971 50 123 4567", state: "Dubai", city: "Dubai" };
  test("a postal code is not required where a country has none", () => {
    expect(read({ ...emirates, postalCode: "" })).toMatchObject({ ok: true, form: { postalCode: "" } });
  });

  test("one that is posted all the same is dropped", () => {
    expect(read({ ...emirates, postalCode: "00000" })).toMatchObject({ ok: true, form: { postalCode: "" } });
  });

  test("one that hardly anybody knows may be left out, and is checked where it is given", () => {
    const kenya = { ...abroad, country: "KE", phoneNumber: "+254 712 345678" };
    expect(read({ ...kenya, postalCode: "" })).toMatchObject({ ok: true });
    expect(read({ ...kenya, postalCode: "00100" })).toMatchObject({ ok: true, form: { postalCode: "00100" } });
    expect(read({ ...kenya, postalCode: "<script>" })).toMatchObject({
      ok: false,
      errors: { postalCode: "Please enter a valid postal code." },
    });
  });

  test("a state or region that no address there needs is dropped", () => {
    expect(read({ ...abroad, state: "Greater London" })).toMatchObject({ ok: true, form: { state: "" } });
  });

  test.each([
    ["GB", "E1 6AN", "+44 7911 123456", true],
    ["US", "10001", "+1 212 555 0123", false],
  ])("in %s a state may be left out: %s", (country, postalCode, phoneNumber, ok) => {
    expect(read({ ...abroad, country, postalCode, phoneNumber, state: "" }).ok).toBe(ok);
  });
});

describe("states have the names of the shipping document", () => {
  const rate = (kind: "state", name: string, rateCents: number) => ({ kind, name, rateCents, details: "{}" });
  const inStates = async (...names: [string, number][]) => {
    await db().deleteFrom("shippingRates").where("kind", "=", "state").execute();
    await db()
      .insertInto("shippingRates")
      .values(names.map(([name, cents]) => rate("state", name, cents)))
      .execute();
    return loadShippingRates(db());
  };

  test.each(["Abuja", "FCT", "Abuja (FCT)", "F.C.T. Abuja", "Federal Capital Territory"])(
    "%s is offered as such, and once",
    async (name) => {
      const loaded = await inStates([name, 650], ["Lagos State", 350]);
      expect(loaded.states).toHaveLength(37);
      const offered = loaded.states.filter(({ rateCents }) => rateCents !== 0).map((state) => state.name);
      expect(offered.toSorted()).toEqual([name, "Lagos State"].toSorted());
      expect(await shippingCents(db(), { kind: "home", state: name })).toBe(650);
    },
  );

  test.each(["Abuja", "FCT", "federal capital territory", "Abuja FCT"])(
    "a known alias, %s, finds its state",
    async (state) => {
      const loaded = await inStates(["FCT, Abuja", 650], ["Lagos", 350]);
      const result = readShippingForm(new URLSearchParams({ ...home, state }), loaded);
      expect(result).toMatchObject({
        ok: true,
        form: { state: "FCT, Abuja" },
        destination: { kind: "home", state: "FCT, Abuja" },
      });
      expect(await shippingCents(db(), { kind: "home", state })).toBe(650);
    },
  );

  test("a name that is no state's is offered as it is", async () => {
    const loaded = await inStates(["Lagos Island", 300], ["Lagos", 350]);
    expect(loaded.states).toHaveLength(38);
    expect(await shippingCents(db(), { kind: "home", state: "Lagos Island" })).toBe(300);
  });

  test("a state without a rate is offered and delivered for 0", async () => {
    const loaded = await inStates(["Lagos", 350]);
    expect(loaded.states.find(({ name }) => name === "Kano")).toEqual({ name: "Kano", rateCents: 0 });
    expect(await shippingCents(db(), { kind: "home", state: "Kano" })).toBe(0);
  });
});

test("what the owner says of a center is taken in, exported as it was, and offered", async () => {
  const of = {
    state: "Lagos",
    address: "1 Broad Street",
    landmark: "Near the bank",
    hours: "Mon-Fri",
    bring: "A card",
  };
  const locations = { Yaba: { rate: 2, ...of }, Ikeja: { rate: 2.5 } };
  const document = { Nigeria: { homeDelivery: { states: { Lagos: 3.5 } }, pickup: { locations } } };
  await db()
    .transaction()
    .execute((trx) => writeShippingRates(trx, readShippingDocument(document)));
  expect(await shippingDocument(db())).toEqual(document);
  expect(await pickupCenter(db(), "Yaba")).toEqual({ name: "Yaba", rateCents: 200, ...of });
  expect(await pickupCenter(db(), "Ikeja")).toMatchObject({ address: "", hours: "", bring: "" });
  expect(await pickupCenter(db(), "Surulere")).toBeUndefined();
  await db().deleteFrom("shippingRates").execute();
  await seedShipping(db());
});

describe("the demo's rates", () => {
  test("36 states and the FCT, centers and countries, each list by the alphabet", () => {
    expect(rates.states).toHaveLength(37);
    expect(rates.pickups.length).toBeGreaterThanOrEqual(8);
    expect(rates.countries.length).toBeGreaterThanOrEqual(12);
    for (const list of [rates.states, rates.pickups, rates.countries]) {
      const names = list.map(({ name }) => name);
      expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
      expect(list.every(({ rateCents }) => rateCents !== undefined && rateCents > 0)).toBe(true);
    }
  });

  test("are laid into an empty shop only", async () => {
    await db().updateTable("shippingRates").set({ rateCents: 1 }).where("name", "=", "Lagos").execute();
    await seedShipping(db());
    expect(await shippingCents(db(), { kind: "home", state: "Lagos" })).toBe(1);
  });

  test("a missing rate counts as nothing", async () => {
    await db().deleteFrom("shippingRates").where("name", "=", "Kano").where("kind", "=", "state").execute();
    expect(await shippingCents(db(), { kind: "home", state: "Kano" })).toBe(0);
  });
});
