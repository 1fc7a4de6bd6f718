import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import type { AppName } from "./apps.ts";
import { type Door, nameOf } from "./doors.ts";
import { BODIES, FILE, FORMS, SAMPLES } from "./forms.ts";
import { accepted } from "./schema.ts";
import { known, longWord, word } from "./words.ts";
import { SHOPPERS, STAFF, type Who } from "./world.ts";

/** How a webhook is signed: by the provider, or by somebody who imitates the provider. */
export type Signing = "rightly" | "by another key" | "of another message";

export type Body =
  | { kind: "form" | "multipart"; fields: Record<string, unknown> }
  | { kind: "json"; value: unknown; signed?: Signing }
  | { kind: "raw"; type: string; text: string };

/** A generated request. `{{name}}` in it stands for something that exists in the shop. */
export type Case = {
  app: AppName;
  method: string;
  /** The router's path pattern. */
  door: string;
  /** The parts of the path, unescaped. `raw` is sent unchanged instead of them. */
  parts: string[];
  raw?: string;
  /** Requests data instead of a page, as the router's script does. */
  scripted: boolean;
  query: [name: string, value: string][];
  who: Who;
  headers: Record<string, string>;
  body?: Body;
};

/** The usual values of a path's parameters. */
const PARAMS: Record<string, fc.Arbitrary<string>> = {
  id: fc.constantFrom(
    "{{product}}",
    "{{hidden}}",
    "{{collection}}",
    "{{sizeGuide}}",
    "about",
    "{{customer}}",
    "{{uuid}}",
    "{{session}}",
    "new",
  ),
  reference: fc.constantFrom("{{reference}}", "{{unpaid}}", "{{sold}}"),
  code: fc.constantFrom("A".repeat(22), "{{uuid}}"),
  number: fc.constantFrom("{{number}}", "{{soldNumber}}", "{{return}}"),
  work: fc.constantFrom("{{uuid}}"),
  file: fc.constantFrom(
    ...[
      "root.js",
      "placeholder.svg",
      "x-640.avif",
      "../package.json",
      "home.jpg",
      "{{product}}.jpg",
      "{{collection}}.jpg",
    ],
  ),
  place: fc.constantFrom("singleProduct", "collections", "home"),
  part: fc.constantFrom("1.xml", "2.xml", "0.xml", "x"),
};
export const paramsOf = (door: string) => [...door.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
export const isKnownParam = (name: string) => Object.hasOwn(PARAMS, name);

/** The names of all query fields that the sources read. */
export const QUERY_NAMES = namesIn(/(?:searchParams|query|params|asked|search)\.(?:get|has|getAll)\("(\w+)"\)/g).concat(
  ...[
    "q",
    "page",
    "kind",
    "door",
    "sort",
    "view",
    "size",
    "color",
    "before",
    "after",
    "on",
    "days",
    "_routes",
    "index",
  ],
);
const COOKIE_NAMES = namesIn(/_COOKIE = "([\w.-]+)"|\bCOOKIE = "([\w.-]+)"/g);

function namesIn(pattern: RegExp): string[] {
  const files = ["app", "office"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  );
  const sources = files.filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(file, "utf8"));
  return [...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, a, b]) => a ?? b ?? "")))];
}

const HEADERS: Record<string, fc.Arbitrary<string>> = {
  accept: fc.constantFrom("*/*", "text/html", "application/json;q=0.1"),
  "accept-encoding": fc.constantFrom("gzip, br, zstd", "gzip;q=0", "*;q=0.5", "br;q=x", ",,,", "identity"),
  "accept-language": word,
  "cf-ipcountry": word,
  "if-modified-since": word,
  "if-none-match": fc.oneof(fc.constantFrom("*", 'W/"x"'), word),
  origin: fc.constantFrom("https://evil.example", "null", "x"),
  range: fc.constantFrom("bytes=0-", "bytes=-1", "bytes=9-1", "bytes=0-0,1-1,2-2", "x"),
  referer: word,
  "sec-fetch-site": fc.constantFrom("same-origin", "cross-site", "none", "x"),
  "user-agent": word,
  "x-forwarded-for": word,
  "x-irepo-client": word,
  "x-irepo-scripted": fc.constant("1"),
  "x-paystack-signature": word,
  "x-http-method-override": fc.constantFrom("DELETE", "PUT"),
};
const ofFields = (fields: [string, fc.Arbitrary<string>][]) => fc.record(Object.fromEntries(fields));
const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Record<string, string>>({}) },
  { weight: 2, arbitrary: fc.subarray(Object.entries(HEADERS), { maxLength: 2 }).chain(ofFields) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...COOKIE_NAMES), word), { maxLength: 2 })
      .map((all): Record<string, string> => ({ cookie: all.map(([name, value]) => `${name}=${value}`).join("; ") })),
  },
);

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
  {
    weight: 3,
    arbitrary: fc.array(fc.tuple(fc.constantFrom(...QUERY_NAMES), word), { minLength: 1, maxLength: 4 }),
  },
  { weight: 1, arbitrary: fc.array(fc.tuple(word, word), { maxLength: 3 }) },
);

const RAW = [
  "//evil.example",
  "//evil.example/%2f..",
  "/%00",
  "/%E0%A4%A",
  "/%",
  "/..%2f..%2fpackage.json",
  "/images/..%2f..%2fpackage.json",
  "/assets/%2e%2e/%2e%2e/server.ts",
  "/shop/../../x",
  "/.data",
  "/_.data",
  "/_root.data",
  "/__manifest",
  "/__manifest?p=%2Fshop&p=%2F..&version=1",
  "/__manifest?p=",
  "/?index",
  "/shop?_routes=nothing",
  "/shop.data?_routes=root,root",
  "/Shop/",
  "/SHOP?%",
  "/shop?q=%ff%fe&q=%",
  "/orders/%00",
  `/${"a/".repeat(500)}`,
  `/shop?${"q=a&".repeat(1000)}`,
  `/${"%41".repeat(2000)}`,
  "/x?y?z&&==&=",
  "/;jsessionid=1",
  "/\\evil.example",
];

/** Fields that the schema accepts, fields with a single fault, and any fields. */
function fieldsOf(usual: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const valid = usual.map((one) => one as Record<string, unknown>);
  const nearly = fc.tuple(valid, fc.nat(), fc.oneof(word, longWord), fc.nat({ max: 4 })).map(withOneFault);
  const anything = fc.dictionary(fc.oneof(fc.constantFrom("intent", "id", "email", "__proto__"), word), word, {
    maxKeys: 5,
  });
  return fc.oneof(
    { weight: 6, arbitrary: valid },
    { weight: 5, arbitrary: nearly },
    { weight: 1, arbitrary: anything },
  );
}

type Fault = [fields: Record<string, unknown>, at: number, value: string, how: number];

function withOneFault([fields, at, value, how]: Fault): Record<string, unknown> {
  const names = Object.keys(fields);
  const name = names[at % Math.max(1, names.length)] ?? "x";
  if (how === 0) return Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
  if (how === 1) return { ...fields, [`${name}[]`]: [fields[name], value] };
  if (how === 2) return { ...fields, [value.slice(0, 50)]: value };
  return { ...fields, [name]: value };
}

const TYPES = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "application/json", "x/y", ""];
const MULTIPART = 'multipart/form-data; boundary="x"';
const rawBody = fc.oneof(
  fc.record({ kind: fc.constant("raw" as const), type: fc.constantFrom(...TYPES, MULTIPART), text: word }),
  fc.record({
    kind: fc.constant("raw" as const),
    type: fc.constant(MULTIPART),
    text: word.map((text) => `--x\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${text}\r\n--x--`),
  }),
  fc.record({ kind: fc.constant("raw" as const), type: fc.constant("application/json"), text: fc.json() }),
  fc.constant<Body>({ kind: "raw", type: "application/json", text: `${"[".repeat(30_000)}` }),
);

/** The share of cases for this door: low where requests are slow on purpose, as for a password or a picture. */
function weightOf({ method, path: door, intents }: Door): number {
  if (/\/(login|register|sign-in|resetPassword|pictures|invitation)/.test(door) && method === "POST") return 1;
  return intents ? 2 * Object.keys(intents).length + 4 : method === "POST" ? 12 : 4;
}

const signing = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Signing>("rightly") },
  { weight: 2, arbitrary: fc.constantFrom<(Signing | undefined)[]>(undefined, "by another key", "of another message") },
);

function bodyOf({ app, path: door, intents }: Door): fc.Arbitrary<Body> {
  const form = (fields: fc.Arbitrary<Record<string, unknown>>) =>
    fields.map((all): Body => ({ kind: FILE in all ? "multipart" : "form", fields: all }));
  const body = app === "shop" ? BODIES[door] : undefined;
  const usual = body
    ? fc.tuple(fieldsOf(body), signing).map(([value, signed]): Body => ({ kind: "json", value, signed }))
    : intents
      ? fc.oneof(
          ...Object.entries(intents).map(([intent, schema]) =>
            form(fieldsOf(accepted(schema, SAMPLES)).map((fields) => ({ intent, ...fields }))),
          ),
        )
      : form(fieldsOf(FORMS[app][door] ?? fc.constant({})));
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rawBody });
}

function casesAt(door: Door): fc.Arbitrary<Case> {
  const { app, method, path: pattern, isBeside } = door;
  const parts = pattern
    .split("/")
    .slice(1)
    .map((part) => {
      const [name] = paramsOf(part);
      if (name === undefined) return fc.constant(part === "*" ? "no-such-place" : part);
      const usual = PARAMS[name] ?? known;
      return fc.oneof({ weight: 5, arbitrary: usual }, { weight: 2, arbitrary: word });
    });
  return fc.record(
    {
      app: fc.constant(app),
      method: fc.constant(method as string),
      door: fc.constant(pattern),
      parts: fc.tuple(...parts),
      raw: fc.constant(undefined),
      // A page takes ten times as long as its data.
      scripted: isBeside ? fc.constant(false) : fc.integer({ min: 0, max: 6 }).map((chance) => chance > 0),
      query,
      who: whoAt(app),
      headers,
      body: method === "POST" ? bodyOf(door) : fc.constant(undefined),
    },
    { noNullPrototype: true },
  );
}

/** The sender of a case; in the office often the owner, who has every permission. */
const whoAt = (app: AppName): fc.Arbitrary<Who> =>
  app === "shop" ? fc.constantFrom<Who>(...SHOPPERS) : fc.constantFrom<Who>(...STAFF, "owner", "owner", "owner");

const rawCase: fc.Arbitrary<Case> = fc.record({
  app: fc.constantFrom<AppName>("shop", "office"),
  method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"),
  door: fc.constant("*"),
  parts: fc.constant([]),
  raw: fc.constantFrom(...RAW),
  scripted: fc.constant(false),
  query: fc.constant<[string, string][]>([]),
  who: fc.constantFrom<Who>("nobody", "shopper", "owner"),
  headers,
});

/** Cases for all these doors, each case for one of them. */
export function cases(doors: Door[]): fc.Arbitrary<Case> {
  const at = doors.map((door) => ({ weight: weightOf(door), arbitrary: casesAt(door) }));
  return fc.oneof(...at, { weight: 20, arbitrary: rawCase });
}

export const doorOf = (one: Case) => nameOf({ ...one, method: one.method === "POST" ? "POST" : "GET", path: one.door });
