import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ZodError } from "zod";
import { log } from "#app/infra/log.server.ts";
import { usdCents } from "#app/money/money.ts";
import { useDatabase } from "#tests/support/database.ts";
import { lagosForm } from "#tests/support/shop.ts";
import {
  allCountries,
  countryCodeOf,
  readShippingDocument,
  shippingDocument,
  writeShippingRates,
} from "./document.server.ts";
import { readShippingForm } from "./form.server.ts";
import {
  hasOwnShippingRates,
  hasShippingRates,
  loadShippingRates,
  pickupCenter,
  readRates,
  seedShipping,
  shippingCentsIn,
} from "./rates.server.ts";
import type { Destination, ShippingRates } from "./shipping.ts";

const { db } = useDatabase();
let rates: ShippingRates;
beforeAll(async () => {
  await seedShipping(db());
  rates = await loadShippingRates(db());
});

const centsTo = async (destination: Destination) => shippingCentsIn(await readRates(db()), destination);
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
    ["an unknown state", { ...home, state: "Atlantis" }, { state: "Please enter your state." }],
    [
      "an unknown center",
      { ...pickup, pickupCenter: "Atlantis" },
      { pickupCenter: "Please enter your pick-up center." },
    ],
    ["no e-mail address", { ...home, email: "ada" }, { email: "Please enter a valid email address." }],
    ["no delivery type", { ...home, deliveryType: "" }, { deliveryType: "Please enter your delivery type." }],
    [
      "an unknown delivery type",
      { ...home, deliveryType: "Drone" },
      { deliveryType: "Please enter your delivery type." },
    ],
    ["a country without delivery", { ...abroad, country: "Atlantis" }, { country: "Please enter your country." }],
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
    ["US", "+1 416 555 0123", true], // a Canadian number: both countries share a calling code
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

  test.each([
    "\u202a+234 803 123 4567\u202c",
    "0803\u200b123\u200b4567",
    "0\ufe0d8031234567",
    "0803‑123–4567",
    "０８０３１２３４５６７",
    "٠٨٠٣١٢٣٤٥٦٧",
    "۰۸۰۳ ۱۲۳ ۴۵۶۷",
    "00234 803 123 4567",
    "009234 803 123 4567",
    "tel:+2348031234567",
    "+234 (0) 803 123 4567",
    "0803\u00a0123\u00a04567",
  ])("16 in Nigeria %j is 08031234567", (phoneNumber) => {
    expect(read({ ...home, phoneNumber })).toMatchObject({ ok: true, form: { phoneNumber: "08031234567" } });
  });

  test.each([
    ["GB", "\u202a+44 7911 123456\u202c", "+447911123456"],
    ["GB", "07911 123456", "+447911123456"],
    ["GB", "tel:+44-7911-123456", "+447911123456"],
    ["US", "(212)‑555‑0123", "+12125550123"],
    ["US", "001 212 555 0123", "+12125550123"],
    ["US", "009 1 212 555 0123", "+12125550123"],
    ["GH", "٠٢٤ ١٢٣ ٤٥٦٧", "+233241234567"],
    ["US", "212 555 0123 ext. 5", "+12125550123 ext. 5"],
  ])("16 in %s %j is stored as %s", (country, phoneNumber, stored) => {
    const form = { ...abroad, country, phoneNumber, postalCode: "10001" };
    expect(read(form)).toMatchObject({ ok: true, form: { phoneNumber: stored } });
  });

  test.each([
    ["US", "10001\u200b", "10001"],
    ["US", "１０００１", "10001"],
    ["US", "10001–1234", "10001-1234"],
    ["DE", "D-10115", "10115"],
    ["DE", "DE 10115", "10115"],
    ["DE", "\u206810115\u2069", "10115"],
    ["GB", "Ｅ1\u200b 6AN", "E1 6AN"],
  ])("16 in %s the postal code %j is %s", (country, postalCode, stored) => {
    const phoneNumber = { US: "+1 212 555 0123", DE: "+49 30 901820", GB: "+44 7911 123456" }[country] ?? "";
    const posted = new URLSearchParams({ ...abroad, country, phoneNumber, postalCode });
    const countries = [...rates.countries, { code: "DE", name: "Germany", rateCents: usdCents(4500) }];
    expect(readShippingForm(posted, { ...rates, countries })).toMatchObject({ ok: true, form: { postalCode: stored } });
  });

  test("16 names, address and mail are stored without invisible characters", () => {
    const typed = {
      firstName: "\u2068Ada\u2069",
      lastName: "O\u00adbi\u0007",
      email: "\u200bada@example.com\u200b",
      address: "1\u200b Broad Street\u202c",
    };
    expect(read({ ...home, ...typed })).toMatchObject({
      ok: true,
      form: { firstName: "Ada", lastName: "Obi", email: "ada@example.com", address: "1 Broad Street" },
    });
  });

  test.each([
    ["A.Musa", "A. Musa"],
    ["St.John", "St. John"],
    ["O.J.Okafor", "O. J. Okafor"],
    ["Ọ.Ṣadé".normalize("NFD"), "Ọ. Ṣadé".normalize("NFD")],
  ])("17 the name %s is taken as %s", (lastName, stored) => {
    expect(read({ ...home, lastName })).toMatchObject({ ok: true, form: { lastName: stored } });
  });

  test("17 an address in Ireland needs no postal code", () => {
    const countries = [...rates.countries, { code: "IE", name: "Ireland", rateCents: usdCents(4500) }];
    const ireland = { ...abroad, country: "IE", phoneNumber: "+353 85 012 3456" };
    const sent = (postalCode: string) =>
      readShippingForm(new URLSearchParams({ ...ireland, postalCode }), { ...rates, countries });
    expect(sent("")).toMatchObject({ ok: true, form: { postalCode: "" } });
    expect(sent("D02 AF30")).toMatchObject({ ok: true, form: { postalCode: "D02 AF30" } });
  });

  test("the input is returned, cut to the longest field", () => {
    const result = read({ ...home, address: "x".repeat(5000) });
    expect(result).toMatchObject({ ok: false, errors: { address: "That is too long." } });
    expect(!result.ok && result.fields.address.length).toBe(1000);
  });

  test("in a country without telephones no number is one", () => {
    const form = new URLSearchParams({ ...abroad, country: "AQ", postalCode: "E1 6AN" });
    const countries = [{ code: "AQ", name: "Antarctica", rateCents: usdCents(9000) }];
    expect(readShippingForm(form, { ...rates, countries })).toMatchObject({
      ok: false,
      errors: { phoneNumber: "Please enter a valid phone number" },
    });
  });

  test("an empty form has an error for each required field, and the input is returned", () => {
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

  test("a postal code that is posted for such a country is dropped", () => {
    expect(read({ ...emirates, postalCode: "00000" })).toMatchObject({ ok: true, form: { postalCode: "" } });
  });

  test("a postal code that hardly anybody knows is optional, and checked if it is given", () => {
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

  test("a region abroad with the name of a state of Nigeria stays unchanged", () => {
    const form = { ...abroad, country: "US", phoneNumber: "+1 212 555 0123", postalCode: "10001", state: "F.C.T." };
    expect(read(form)).toMatchObject({ ok: true, form: { state: "F.C.T." } });
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
      expect(await centsTo({ kind: "home", state: name })).toBe(650);
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
      expect(await centsTo({ kind: "home", state })).toBe(650);
    },
  );

  test("an unknown state's name is offered as it is", async () => {
    const loaded = await inStates(["Lagos Island", 300], ["Lagos", 350]);
    expect(loaded.states).toHaveLength(38);
    expect(await centsTo({ kind: "home", state: "Lagos Island" })).toBe(300);
  });

  test("a state without a rate is offered and delivered for 0", async () => {
    const loaded = await inStates(["Lagos", 350]);
    expect(loaded.states.find(({ name }) => name === "Kano")).toEqual({ name: "Kano", rateCents: 0 });
    expect(await centsTo({ kind: "home", state: "Kano" })).toBe(0);
  });
});

test("a center's details are imported, exported unchanged, and offered", async () => {
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
  const bare = { state: "", address: "", landmark: "", hours: "", bring: "" };
  expect(await pickupCenter(db(), "Ikeja")).toEqual({ name: "Ikeja", rateCents: 250, ...bare });
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

  test("are stored only in an empty shop", async () => {
    await db().updateTable("shippingRates").set({ rateCents: 1 }).where("name", "=", "Lagos").execute();
    await seedShipping(db());
    expect(await centsTo({ kind: "home", state: "Lagos" })).toBe(1);
  });

  test("a missing rate counts as 0", async () => {
    await db().deleteFrom("shippingRates").where("name", "=", "Kano").where("kind", "=", "state").execute();
    expect(await centsTo({ kind: "home", state: "Kano" })).toBe(0);
  });
});

describe("the document's countries", () => {
  const document = (others: object) => ({
    Nigeria: { homeDelivery: { states: {} }, pickup: { locations: {} } },
    ...others,
  });
  const row = (name: string, rateCents: number) => ({ kind: "country", name, rateCents, details: "{}" });

  test.each([
    ["by their English names", { Ghana: 9.5 }, row("GH", 950)],
    ["by their codes", { GH: "9.50" }, row("GH", 950)],
    ["with the rate in an object", { Ghana: { rate: 9.5 } }, row("GH", 950)],
  ])("are taken in %s", (_, others, expected) => {
    expect(readShippingDocument(document(others))).toEqual([expected]);
  });

  test.each([
    [
      "an unknown one",
      { Atlantis: 9 },
      ["Atlantis"],
      "'Atlantis' is no country: give its English name, like Ghana, or its code, like GH",
    ],
    ["null for a rate", { Ghana: null }, ["Ghana"], "Invalid input"],
    ["an object without a rate", { Ghana: {} }, ["Ghana"], "Invalid input"],
    ["no rate", { Ghana: "cheap" }, ["Ghana"], "'cheap' isn’t a rate in dollars, like 12.50"],
  ])("are refused by name: %s", (_, others, path, message) => {
    const read = () => readShippingDocument(document(others));
    expect(read).toThrow(ZodError);
    try {
      read();
    } catch (error) {
      expect((error as ZodError).issues).toMatchObject([{ path, message }]);
      if ("Atlantis" in others) expect((error as ZodError).issues[0]?.code).toBe("custom");
    }
  });

  test("are all countries, in the order of their English names", () => {
    const countries = allCountries();
    expect(countries.find(({ code }) => code === "GH")).toEqual({ code: "GH", name: "Ghana" });
    const names = countries.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
    expect([countryCodeOf("Ghana"), countryCodeOf("GH"), countryCodeOf("Atlantis")]).toEqual(["GH", "GH", undefined]);
  });
});

describe("rates of the owner's own", () => {
  const write = (...rates: ["state" | "pickup" | "country", string, number][]) =>
    db()
      .transaction()
      .execute((trx) =>
        writeShippingRates(
          trx,
          rates.map(([kind, name, rateCents]) => ({ kind, name, rateCents, details: "{}" })),
        ),
      );
  const areOwn = () => db().transaction().execute(hasOwnShippingRates);
  beforeEach(() => write());

  test("without any, no price is offered, and a warning is logged", async () => {
    const info = vi.spyOn(log, "info");
    const warn = vi.spyOn(log, "warn");
    const { states, pickups, countries } = await loadShippingRates(db());
    expect(states).toHaveLength(37);
    expect(states.filter(({ rateCents }) => rateCents !== undefined)).toEqual([]);
    expect([...pickups, ...countries]).toEqual([]);
    expect(await centsTo({ kind: "home", state: "Lagos" })).toBeUndefined();
    expect(info.mock.calls).toEqual([[{}, "No such document!"]]);
    expect(warn).toHaveBeenCalledOnce();
    expect(await hasShippingRates(db())).toBe(false);
    expect(await areOwn()).toBe(false);
  });

  test("each list is sorted by the alphabet, and each place has its own rate", async () => {
    const info = vi.spyOn(log, "info");
    await write(
      ["state", "Yobe", 700],
      ["state", "Abia", 400],
      ["pickup", "Yaba", 200],
      ["pickup", "Ikeja", 250],
      ["country", "GB", 2800],
      ["country", "GH", 950],
    );
    const { states, pickups, countries } = await loadShippingRates(db());
    expect(info).not.toHaveBeenCalled();
    const names = states.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
    expect(pickups.map(({ name, rateCents }) => [name, rateCents])).toEqual([
      ["Ikeja", 250],
      ["Yaba", 200],
    ]);
    expect(countries).toEqual([
      { code: "GH", name: "Ghana", rateCents: 950 },
      { code: "GB", name: "United Kingdom", rateCents: 2800 },
    ]);
    expect(await shippingDocument(db())).toMatchObject({ Ghana: 9.5, "United Kingdom": 28 });
    const warn = vi.spyOn(log, "warn");
    const cents = await Promise.all(
      (
        [
          { kind: "home", state: "Yobe" },
          { kind: "pickup", center: "Ikeja" },
          { kind: "abroad", country: "GH" },
        ] as const
      ).map((destination) => centsTo(destination)),
    );
    expect(cents).toEqual([700, 250, 950]);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([
    [{ kind: "pickup", center: "Ikeja" }],
    [{ kind: "pickup", center: "Lagos State" }],
    [{ kind: "abroad", country: "GH" }],
  ] as const)("without one there is no delivery to %o, and the owner is told", async (destination) => {
    await write(["state", "Lagos", 350], ["pickup", "Lagos", 200], ["country", "GB", 2800]);
    const warn = vi.spyOn(log, "warn");
    expect(await centsTo(destination)).toBeUndefined();
    expect(warn).toHaveBeenCalledOnce();
  });

  test("are not mixed with the demo's rates", async () => {
    await write(["state", "Lagos", 1]);
    await seedShipping(db());
    expect(await db().selectFrom("shippingRates").select("name").execute()).toEqual([{ name: "Lagos" }]);
    expect(await areOwn()).toBe(true);
  });

  test("are distinguished from the demo's, in whatever order these are stored", async () => {
    await seedShipping(db());
    expect(await areOwn()).toBe(false);
    const rows = await db().deleteFrom("shippingRates").returningAll().execute();
    const again = rows.toReversed().map(({ details, ...rate }) => ({ ...rate, details: JSON.stringify(details) }));
    await db().insertInto("shippingRates").values(again).execute();
    expect(await areOwn()).toBe(false);
    await db().updateTable("shippingRates").set({ rateCents: 1 }).where("name", "=", "Lagos").execute();
    expect(await areOwn()).toBe(true);
  });
});
