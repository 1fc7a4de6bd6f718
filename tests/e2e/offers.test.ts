import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as messages from "#app/messages.ts";
import {
  endPayment,
  LAGOS,
  newCustomer,
  newVisitor,
  PASSWORD,
  pressPay,
  shownOn,
  type Visitor,
} from "#tests/support/http-visitor.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";

let shop: RunningShop;
beforeAll(async () => {
  shop = await runShop();
});
afterAll(() => shop?.stop());

const offer = (...words: string[]) => ownerSays(shop, "offers", ...words);
const read = async (visitor: Visitor, path: string) => (await visitor.get(path)).text();
const typeCode = (visitor: Visitor, code: string) => visitor.post("/Cart", { intent: "code", code });
const addTee = (visitor: Visitor) =>
  visitor.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });

test("a shop without offers says nothing of them", async () => {
  const guest = newVisitor(shop.url);
  await addTee(guest);
  const cart = await read(guest, "/Cart");
  expect(cart).toContain("Subtotal");
  expect(cart).not.toMatch(/Have a code|You save/);
});

test("a code is typed, kept, taken along to the account, and paid with, all without script", async () => {
  await offer("add", "HOMERUN: 20% off", "--percent", "20", "--code", "HOME-RUN");
  const owner = await newCustomer(shop, "ada@example.com");
  const guest = newVisitor(shop.url);
  await addTee(guest);
  expect(await read(guest, "/Cart")).toContain("Have a code?");

  expect((await typeCode(guest, "NO-SUCH")).status).toBe(303);
  expect(await read(guest, "/Cart")).toContain(messages.codes.unknown);
  await typeCode(guest, " home run ");
  const cart = await read(guest, "/Cart");
  expect(cart).toContain("home run counts: HOMERUN: 20% off");
  expect(cart).toContain("You save");

  expect((await guest.post("/login", { email: "ada@example.com", password: PASSWORD })).status).toBe(303);
  expect(await read(guest, "/Cart")).toContain("home run counts");
  expect(await read(owner, "/Cart")).toContain("home run counts"); // on another device
  expect([...guest.cookies.keys()].join()).not.toContain("irepo.code");

  expect(await read(guest, "/checkout")).toContain("HOMERUN: 20% off");
  const payPage = (await pressPay(guest)).headers.get("location") ?? "";
  const reference = await endPayment(payPage, "success");
  await guest.get(`/checkout/return?reference=${reference}`);
  const listed = JSON.parse(await offer("list", "--json")) as { uses: number; givenCents: number }[];
  expect(listed).toMatchObject([{ name: "HOMERUN: 20% off", state: "running", uses: 1 }]);
  expect(listed[0]?.givenCents).toBeGreaterThan(0);
});

test("of a code with one use left, one shopper has it and the others are told before they pay", async () => {
  await offer("add", "Radio: 10% off", "--percent", "10", "--code", "RADIO", "--uses", "1");
  const shoppers = await Promise.all(["bisi", "chidi", "dele"].map((name) => newCustomer(shop, `${name}@example.com`)));
  for (const shopper of shoppers) {
    await addTee(shopper);
    await typeCode(shopper, "RADIO");
    expect(await read(shopper, "/Cart")).toContain("RADIO counts");
  }
  const shown = await Promise.all(shoppers.map(async (shopper) => shownOn(await shopper.post("/checkout", LAGOS))));
  const pressed = await Promise.all(
    shoppers.map((shopper, at) => shopper.post("/checkout", { ...LAGOS, ...shown[at] })),
  );
  expect(pressed.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  for (const answer of pressed.filter(({ status }) => status === 400)) {
    const page = await answer.text();
    expect(page).toContain("The total has changed to");
    expect(page).toContain(messages.codes.unknown);
  }
}, 60_000);

test("a code says what is missing in naira, and once it is over what the owner wrote", async () => {
  const says = ["--code", "BIG", "--from-sum", "$500", "--ended-text", "BIG was for the radio week."];
  const made = JSON.parse(await offer("add", "Big", "--percent", "10", ...says, "--json")) as { id: number };
  const guest = newVisitor(shop.url);
  await addTee(guest);
  await typeCode(guest, "BIG");
  expect(await read(guest, "/Cart")).toMatch(
    /This code needs ₦[\d,]+ \(\$500\.00\) of what it’s for: ₦[\d,]+ \(\$[\d.]+\) more/,
  );
  await offer("pause", String(made.id));
  expect(await read(guest, "/Cart")).toContain("BIG was for the radio week.");
  await typeCode(guest, "NEVER-WAS");
  expect(await read(guest, "/Cart")).toContain(messages.codes.unknown);
});

test("an offer for another country is told before paying, and the next press pays", async () => {
  const terms = ["--percent", "30", "--countries", "Ghana", "--json"];
  const { id } = JSON.parse(await offer("add", "Ghana: 30% off", ...terms)) as { id: number };
  const shopper = await newCustomer(shop, "efe@example.com");
  await addTee(shopper);
  expect(await read(shopper, "/checkout")).toContain("Ghana: 30% off");
  const told = await shopper.post("/checkout", LAGOS);
  expect(told.status).toBe(400);
  const page = await told.text();
  expect(page).not.toContain("Ghana: 30% off");
  expect((await pressPay(shopper)).status).toBe(303);
  await offer("end", String(id));
});

test("an offer on a collection is in a guest's cart with and without script, and at Pay, for what is in it then", async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-offers-")), "summer.json");
  const put = async (...products: string[]) => {
    writeFileSync(file, JSON.stringify({ id: "summer", name: "Summer", products }));
    await ownerSays(shop, "collections", "set", file);
  };
  await put("rings-tee");
  const terms = ["--percent", "25", "--collections", "summer", "--on-sale", "--json"];
  const { id } = JSON.parse(await offer("add", "Summer: 25% off", ...terms)) as { id: number };
  const guest = newVisitor(shop.url);
  await addTee(guest);
  expect(await read(guest, "/Cart")).toContain("You save");
  const item = { id: "rings-tee", title: "Tee", price: 1, color: "Black", sizes: "M", selectedSize: "M", quantity: 1 };
  const asked = { intent: "price", items: [{ ...item, images: "", name: "Tee", addedAt: new Date().toISOString() }] };
  const headers = { "content-type": "application/json" };
  const priced = await fetch(`${shop.url}/api/cart`, { method: "POST", headers, body: JSON.stringify(asked) });
  const { cart } = (await priced.json()) as { cart: { lines: { priceCents: number; fullCents: number }[] } };
  expect(cart.lines[0]?.priceCents).toBe(Math.floor((cart.lines[0]?.fullCents ?? 0) * 0.75));

  const shopper = await newCustomer(shop, "funmi@example.com");
  await addTee(shopper);
  const shown = await shownOn(await shopper.post("/checkout", LAGOS));
  await put();
  const told = await shopper.post("/checkout", { ...LAGOS, ...shown });
  expect([told.status, await told.text()]).toEqual([400, expect.stringContaining("The total has changed to")]);
  expect(await read(guest, "/Cart")).not.toContain("You save");
  await put("rings-tee");
  expect((await pressPay(shopper)).status).toBe(303);
  await offer("end", String(id));
});

test("taking a code away, or pausing the offer, gives the old price back", async () => {
  const guest = newVisitor(shop.url);
  await addTee(guest);
  await typeCode(guest, "HOMERUN");
  expect(await read(guest, "/Cart")).toContain("You save");
  await guest.post("/Cart", { intent: "code" });
  expect(await read(guest, "/Cart")).not.toContain("You save");
  await typeCode(guest, "HOMERUN");
  await offer("pause", "1");
  expect(await read(guest, "/Cart")).toContain(messages.codes.unknown);
});

test("who has typed too many wrong codes cannot go on guessing, and others can use theirs", async () => {
  await offer("add", "GUESS: 10% off", "--percent", "10", "--code", "GUESS-ME", "--on-sale");
  const guesser = await newCustomer(shop, "guesser@example.com");
  const honest = await newCustomer(shop, "honest@example.com");
  for (const visitor of [guesser, honest]) await addTee(visitor);
  for (let wrong = 0; wrong < 30; wrong++) expect((await typeCode(guesser, `NO-SUCH-${wrong}`)).status).toBe(303);
  const refused = await typeCode(guesser, "GUESS-ME");
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain(messages.codes.tooMany);
  for (let right = 0; right < 40; right++) await typeCode(honest, "GUESS-ME");
  expect(await read(honest, "/Cart")).toContain("GUESS-ME counts");
});
