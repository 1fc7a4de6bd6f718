import fc from "fast-check";
import Papa from "papaparse";
import { z } from "zod";
import { accountChange, registration } from "#app/account/fields.ts";
import { cartForm, cartQuestion, lineFields } from "#app/cart/change-fields.ts";
import { subscription } from "#app/newsletter/newsletter.server.ts";
import { RETURN_REASONS } from "#app/orders/returns/return.ts";
import { COLUMNS } from "#app/owner/catalog/product-table.server.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { PASSWORD } from "#tests/support/staff.ts";
import { accepted, type Samples } from "./schema.ts";
import { known, longWord, word } from "./words.ts";

// What each form and JSON body may contain, where the route itself has no schema for it.

const json = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one));
const noPicture = word.map((text) => text.replaceAll("http", "ftp")); // so that nothing is fetched
const price = fc.constantFrom("49.99", "$1", "0", "0.001", "100000", "100000.01", "1e3", "１");
const rateSide = fc.record({
  rateCents: fc.oneof(fc.integer(), fc.constantFrom(0.5, null)),
  details: fc.dictionary(fc.constantFrom("address", "hours", "phone", "__proto__"), word),
});

/** A table with some of these columns and all of `needed`, with or without correct quotes. */
function table(
  columns: string[],
  cells: Record<string, fc.Arbitrary<string>>,
  needed: string[] = [],
): fc.Arbitrary<string> {
  const head = fc
    .shuffledSubarray(columns, { minLength: 1 })
    .map((some) => [...some, ...needed.filter((name) => !some.includes(name))]);
  const row = (names: string[]) => fc.tuple(...names.map((name) => fc.oneof(cells[name] ?? word, word)));
  const rows = head.chain((names) => fc.array(row(names), { maxLength: 4 }).map((all) => [names, ...all]));
  return fc.oneof(
    rows.map((all) => Papa.unparse(all)),
    fc.tuple(rows, fc.constantFrom(",", ";", "\t", "|")).map(([all, by]) => all.map((one) => one.join(by)).join("\n")),
  );
}

export const productTable = table([...COLUMNS, "unknown"], {
  id: fc.constantFrom("{{product}}", "{{hidden}}", "new-one", "eko-tee"),
  title: fc.constantFrom("Jersey", ""),
  price,
  images: noPicture,
  hidden: fc.constantFrom("yes", "no", "maybe"),
  M: fc.constantFrom("3", "-1", "1e9", "3.0"),
});
const option = fc.constantFrom("Size", "Color", "Title", "Taille", "Fit");
const optionValue = fc.constantFrom("S", "2XL", "XS", "Red", "Default Title", "");
const foreignSize = {
  pieces: fc.constantFrom("3", "-2", "", "many"),
  flag: fc.constantFrom("TRUE", "FALSE", "1", "0"),
};
export const shopifyTable = table(
  [
    ...["Handle", "Title", "Body (HTML)", "Type", "Tags", "Published", "Option1 Name", "Option1 Value", "Option2 Name"],
    ...["Option2 Value", "Variant Inventory Qty", "Variant Price", "Variant Compare At Price", "Image Src", "Status"],
    ...["Gift Card", "Variant Image", "Image Position", "unknown"],
  ],
  {
    Handle: fc.constantFrom("tee", "{{product}}", "Ọ̀ṣun tee", ""),
    "Body (HTML)": fc.oneof(word, fc.constant(`${"<b>".repeat(3000)}deep`)),
    Published: foreignSize.flag,
    "Option1 Name": option,
    "Option1 Value": optionValue,
    "Option2 Name": option,
    "Option2 Value": optionValue,
    "Variant Inventory Qty": foreignSize.pieces,
    "Variant Price": price,
    "Variant Compare At Price": price,
    "Image Src": noPicture,
    "Variant Image": noPicture,
    Status: fc.constantFrom("active", "draft", "archived"),
    "Gift Card": foreignSize.flag,
  },
  ["Handle", "Title"],
);
export const wooTable = table(
  [
    ...["ID", "Type", "SKU", "Name", "Published", "Description", "In stock?", "Stock", "Sale price", "Regular price"],
    ...["Categories", "Images", "Parent", "Date sale price ends", "Attribute 1 name", "Attribute 1 value(s)"],
    ...["Attribute 2 name", "Attribute 2 value(s)", "unknown"],
  ],
  {
    ID: fc.constantFrom("1", "2", ""),
    Type: fc.constantFrom("simple", "variable", "variation", "simple, virtual", "grouped"),
    SKU: fc.constantFrom("tee", "{{product}}", ""),
    Published: foreignSize.flag,
    "In stock?": foreignSize.flag,
    Stock: foreignSize.pieces,
    "Sale price": price,
    "Regular price": price,
    Images: noPicture,
    Parent: fc.constantFrom("id:1", "id:2", "tee", ""),
    "Attribute 1 name": option,
    "Attribute 1 value(s)": fc.oneof(optionValue, fc.constant("S, M, L")),
    "Attribute 2 name": option,
    "Attribute 2 value(s)": optionValue,
  },
  ["Type", "Name", "Regular price"],
);
export const rateTable = table(["kind", "name", "dollars", "address", "hours", "phone"], {
  kind: fc.constantFrom("state", "pickup", "country", "Pick-Up"),
  name: fc.constantFrom("Lagos", "Yobe", "Surulere", "Ghana", "Atlantis"),
  dollars: price,
});
export const parcelTable = table(["order", "carrier", "tracking"], {
  order: fc.constantFrom("{{soldNumber}}", "{{number}}", "IR-7K3M-2Q", "{{return}}"),
  carrier: fc.constantFrom("GIG Logistics", "DHL"),
  tracking: fc.constantFrom("GIG-4711", "1"),
});

/** The key and the secret of the browser in RFC 8291, appendix A. */
const KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const SECRET = "BTBZMqHH6r4Tts7J_aSIgg";

/** Values for fields of the office's forms that need more than their schema says, by the field's name. */
export const SAMPLES: Samples = {
  price,
  kobo: fc.constantFrom("7998400", "100", "1", "0", "-1"),
  tag: fc.constantFrom("gift", "Gift wrap", "50%"),
  naira: fc.constantFrom("12,500", "", "0.01", "1e5", "999999999"),
  at: fc.constantFrom("2030-11-30T09:00", "2020-01-01T00:00", "9999-12-31T23:59", ""),
  fromDay: fc.constantFrom("2030-11-30", "2020-01-01", "2026-02-31", ""),
  rate: fc.constantFrom("1600", "1600.5", "1", "0", "1e9", "999999999999"),
  rows: fc.oneof(productTable, parcelTable),
  numbers: fc.constantFrom("{{number}}", "{{soldNumber}}", "{{soldNumber}},{{number}},IR-0000-00", ","),
  text: fc.oneof(rateTable, word, longWord),
  pieces: fc.oneof(
    fc.constantFrom("{{product}}:M:1", "{{product}}:M:9999", "x:M:1"),
    json(fc.dictionary(fc.constantFrom("S", "M", "ONE", "__proto__"), fc.integer({ min: -1, max: 2_000_000 }))),
  ),
  newSizes: fc.constantFrom("{{product}}:M:L", "{{product}}:M:M", "{{product}}:M:x:L", "x:M:L"),
  sizes: fc.constantFrom("S", "M", "ONE"),
  images: json(
    fc.array(fc.record({ hash: fc.constantFrom("0".repeat(20), "f".repeat(20)), alt: word }), { maxLength: 2 }),
  ),
  changes: json(
    fc.array(
      fc.record({
        id: fc.oneof(fc.constantFrom("{{product}}", "{{soldOut}}"), word),
        size: fc.constantFrom("S", "M", "XXL", "x"),
        supplied: fc.integer({ min: 0, max: 600 }),
        onHand: fc.integer({ min: 0, max: 600 }),
        typed: fc.integer({ min: -1, max: 1_000_001 }),
        key: fc.oneof(fc.uuid(), word),
      }),
      { maxLength: 3 },
    ),
  ),
  edits: json(
    fc.array(
      fc.record({
        kind: fc.constantFrom("state", "pickup", "country", "planet"),
        name: fc.oneof(fc.constantFrom("Lagos", "Yobe", "Ghana"), word),
        was: fc.oneof(rateSide, fc.constant(null)),
        now: fc.oneof(rateSide, fc.constant(null)),
      }),
      { maxLength: 3 },
    ),
  ),
  was: json(fc.oneof(fc.record({ sizeLimit: fc.integer(), notice: word }), fc.constant(null), word)),
  agreed: json(fc.array(word, { maxLength: 2 })),
  answer: json(
    fc.record({ id: word, rawId: word, type: fc.constantFrom("public-key", "x"), response: fc.dictionary(word, word) }),
  ),
  subscription: json(
    fc.record({
      endpoint: fc.oneof(fc.constantFrom("https://push.example/1", "https://127.0.0.1/", "http://push.example/"), word),
      keys: fc.record({ p256dh: fc.oneof(fc.constant(KEY), word), auth: fc.constantFrom(SECRET, "") }),
    }),
  ),
  secret: fc.constantFrom("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "x"),
  code: fc.constantFrom("123456", "000000", "１２３４５６"),
  ...Object.fromEntries(Object.entries(lagosForm).map(([name, value]) => [name, fc.constant(value)])),
};

/** Text fields: each has mostly its usual value, and sometimes any text. */
function texts(usual: Record<string, fc.Arbitrary<string> | string[]>): fc.Arbitrary<object> {
  const fields = Object.entries(usual).map(([name, one]) => {
    const likely = Array.isArray(one) ? fc.constantFrom(...one) : one;
    return [name, fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: word })] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

const guestCart = json(
  fc.array(fc.record({ id: known, selectedSize: fc.constantFrom("S", "M"), quantity: fc.integer() }), { maxLength: 3 }),
);
const guest = { guestCart, mergeId: fc.uuid() };
const email = ["{{email}}", "{{staffEmail}}", "ada@example.com", "ada@", "a@b@c", "ADA@EXAMPLE.COM "];
const code = fc.oneof(fc.stringMatching(/^[\w-]{43}$/), word);
const file = fc.constantFrom("iVBORw0KGgo=", "/9j/4AAQSkZJRg==", "R0lGODlhAQABAAAAACw=", "PHN2Zy8+", "");

/** The name of a file's field. Forms that have it are sent as multipart/form-data. */
export const FILE = "file";

const withSchema = (schema: z.ZodType, more: Record<string, fc.Arbitrary<string>> = {}) =>
  fc
    .tuple(accepted(schema, SAMPLES), fc.record(more, { requiredKeys: [] }))
    .map(([fields, others]) => ({ ...(fields as object), ...others }));

const shop: Record<string, fc.Arbitrary<object>> = {
  "/": texts({ reference: ["{{reference}}"] }),
  "/Cart": withSchema(cartForm),
  "/checkout": texts({
    ...Object.fromEntries(
      Object.entries(lagosForm).map(([name, value]) => [name, [value || "x", value, value, value]]),
    ),
    country: ["Nigeria", "Nigeria", "Ghana", "Atlantis"],
    deliveryType: ["Home Delivery", "Pick Up"],
    pickupCenter: ["Surulere", ""],
    deliveryWay: ["", "1", "{{uuid}}"],
    intent: ["pay", "update", "link"],
    payerLine: word,
    currency: ["NGN", "USD"],
    shownCents: ["4999", "0", "9".repeat(15)],
    agreedKobo: ["7998400", "0", "-1"],
    agreesToNoHold: ["yes", "no"],
    saveAddress: ["yes"],
  }),
  "/login": texts({ email, password: [PASSWORD, "123456"], intent: ["login", "resend"], next: ["/account"], ...guest }),
  "/register": withSchema(registration, guest),
  "/forgotPassword": texts({ email }),
  "/checkMail": texts({}),
  "/verifyMail": texts({}),
  "/resetPassword": texts({ oobCode: code, password: [PASSWORD, "12345"] }),
  "/verification": texts({
    oobCode: code,
    disown: ["yes"],
    password: [PASSWORD, "wrong-one"],
    newPassword: [PASSWORD, "12345"],
  }),
  "/signIn": texts({ oobCode: code, ...guest }),
  "/account": withSchema(accountChange),
  "/account/addresses/:id": texts({
    ...Object.fromEntries(Object.entries(lagosForm).map(([name, value]) => [name, [value || "x", value, value]])),
    country: ["Nigeria", "Nigeria", "Ghana", "Atlantis"],
    intent: ["update"],
  }),
  "/order/:reference": texts({
    intent: ["again", "new-link", "end-link"],
    change: ["{{product}}:M:L", "{{product}}:M:M", ""],
  }),
  "/order/:reference/return": texts({
    "quantity:{{product}}:M": ["1", "2", "9999999"],
    "instead:{{product}}:M": ["money", "L", "M", "x:L"],
    reason: [...RETURN_REASONS],
    words: word,
    withdraw: ["{{return}}"],
  }),
  "/order/:reference/cancel": texts({}),
  "/order/:reference/address": texts({
    ...Object.fromEntries(Object.entries(lagosForm).map(([name, value]) => [name, [value || "x", value, value]])),
    state: ["Lagos", "Ogun", "Kano"],
    pickupCenter: ["Surulere", ""],
    landmarkStays: ["on"],
    version: word,
  }),
  "/order/:reference/size": texts({
    change: ["{{product}}:M:L", "{{product}}:M:M", ""],
    quantity: ["1", "2", "9999999"],
    version: word,
  }),
  "/pay/:code": texts({ email }),
  "/queue/:id": texts({}),
  "/handover/:code": texts({ code: ["0000", "12345", "x"] }),
  "/preview/:code?": texts({}),
  "/order/:reference/pictures/:id?": texts({ number: ["{{return}}"], [FILE]: file }),
  "/subscribe": withSchema(subscription),
  "/backInStock": withSchema(z.object(lineFields), { email: fc.constantFrom(...email), code }),
  "/logout": texts({}),
  "/auth/google": texts({ from: ["login", "register"], how: ["popup", "page"], next: ["/account"], ...guest }),
  "/auth/google/password": texts({ intent: ["without"], password: [PASSWORD, "wrong-one"] }),
  "/api/payments/:reference": texts({}),
};

const office: Record<string, fc.Arbitrary<object>> = {
  "/sign-in": texts({
    intent: ["passkey", "password", "code", "recovery", "demo"],
    email,
    password: [PASSWORD],
    code: ["123456"],
    answer: SAMPLES.answer ?? word,
  }),
  "/invitation": texts({ intent: ["passkey", "password"], name: ["Ada"], password: [PASSWORD], ...SAMPLES }),
  "/passkey-options": texts({ for: ["sign-in", "invitation", "me"], code }),
  "/sign-out": texts({}),
  "/orders/parcels/plan": texts({ rows: parcelTable, carrier: ["GIG"] }),
  "/delivery/import/plan": texts({ text: rateTable, all: ["on"] }),
  "/products/import": texts({
    rows: fc.oneof(productTable, shopifyTable, wooTable),
    withStock: ["on"],
    again: ["{{uuid}}"],
    currency: ["USD", "NGN", "EUR"],
    rate: ["1600", "0"],
  }),
  "/products/pictures": texts({ [FILE]: file }),
};

/** What the provider's webhooks contain, or might contain. */
const told = fc.record({
  event: fc.constantFrom("charge.success", "charge.dispute.create", "refund.processed", "transfer.success", "x"),
  data: fc.record(
    {
      reference: fc.oneof(known, word),
      transaction_reference: fc.oneof(known, word),
      transaction: fc.record({ reference: fc.oneof(known, word) }),
      amount: fc.oneof(fc.integer(), word),
    },
    { requiredKeys: [] },
  ),
});

/** The contents of forms, by the path of the door. */
export const FORMS: Record<"shop" | "office", Record<string, fc.Arbitrary<object>>> = { shop, office };
/** The contents of JSON bodies, by the path of the shop's door. */
export const BODIES: Record<string, fc.Arbitrary<unknown>> = {
  "/api/cart": accepted(cartQuestion, { ...SAMPLES }),
  "/webhooks/paystack": told,
};
