import type { Door, Lie } from "./doors.ts";

export const DEPENDENCIES = ["database", "provider", "mail", "rates", "geolocation", "Google", "pictures"] as const;
export type Dependency = (typeof DEPENDENCIES)[number];
export const KINDS = ["dead", "lying", "slow"] as const;
export type Kind = (typeof KINDS)[number];

/** One way in which one dependency fails. `quick`: each run of the tests tries it. */
export type Fault = {
  on: Dependency;
  kind: Kind;
  name: string;
  quick: boolean;
  begin(door: Door): Promise<void> | void;
};

const PAGE = "<!doctype html><title>Sign in to this network</title><h1>Sign in to this network</h1>";
const page: Lie = { http: () => ({ type: "text/html", body: PAGE }) };
const says = (body: unknown): Lie => ({ http: () => ({ body: JSON.stringify(body) }) });
const endless: Lie = { http: () => "endless" };
const webServer = `HTTP/1.1 400 Bad Request\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`;

type Change = (name: string, value: unknown, holder: object) => unknown;

/** The true answer, which must be JSON, with changed values. */
function altered(change: Change): Lie {
  function changed(this: object, name: string, value: unknown) {
    return change(name, value, this);
  }
  return { http: ({ status, body }) => ({ status, body: JSON.stringify(JSON.parse(body.toString()), changed) }) };
}
const OF_TYPES: Record<string, unknown> = { string: 42, number: "many", boolean: "yes" };
const otherTypes = altered((_, value) => OF_TYPES[typeof value] ?? value);
/** Absurd numbers. The rest of the provider's answer stays, since without its envelope nothing else would be read. */
const absurdNumbers = altered((name, value) => {
  if (name === "authorization_url") return "javascript:alert(1)";
  return typeof value === "number" && name !== "id" ? -1e21 : value;
});
/** A reference that the shop has never issued. */
export const ANOTHERS = "0".repeat(32);
const anothers = altered((name, value) => {
  if (name === "reference") return ANOTHERS;
  return name === "authorization_url" || name === "access_code" ? "" : value;
});
/** Each charge is a kobo less. Refunds stay as they are. */
const lessPaid = altered((name, value, holder) => {
  if (name === "authorization_url") return "";
  return name === "amount" && typeof value === "number" && "requested_amount" in holder ? value - 1 : value;
});
/** The true provider's token, with claims about somebody else. */
const anothersToken = altered((name, value) => {
  if (name !== "id_token") return value;
  const [head, claims = "", signature] = String(value).split(".");
  const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), email: "victim@example.com" };
  return [head, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".");
});
/** The bytes of a picture, but not of the requested one. */
const otherPicture = (bytes: Buffer): Lie => ({ http: () => ({ type: "image/jpeg", body: bytes }) });

type Lies = Record<string, Lie>;

/** The false answers of each dependency. Each run tries the first one. */
function liesAbout(picture: Buffer): Record<Dependency, Lies> {
  return {
    database: { "a web server answers": { text: webServer, waits: true } },
    provider: {
      "absurd numbers": absurdNumbers,
      "a page": page,
      "other types": otherTypes,
      "another's data": anothers,
      "a kobo less": lessPaid,
      "no end": endless,
    },
    mail: {
      "a web server answers": { text: webServer },
      "refuses everybody": { text: "554 5.7.1 Go away\r\n" },
      "no end": { text: "220-mail.example\r\n".repeat(1000), endless: true },
    },
    rates: {
      "absurd numbers": says({ rates: { NGN: 1e21 } }),
      "a page": page,
      "other types": says({ rates: { NGN: "1600" } }),
      "less than nothing": says({ rates: { NGN: -1600 } }),
      "no end": endless,
    },
    geolocation: {
      "other types": says({ country_code: 566 }),
      "a page": page,
      "no country": says({ country_code: "<script>" }),
      "no end": endless,
    },
    Google: {
      "other types": otherTypes,
      "a page": page,
      "another's data": anothersToken,
      "no end": endless,
    },
    pictures: {
      "a page": page,
      "another's data": otherPicture(picture),
      "no end": endless,
    },
  };
}

const LATE = 10_000;

/** All faults, grouped by dependency. `picture` is what a lying store returns instead of every other one. */
export function allFaults(picture: Buffer): Fault[] {
  const lies = liesAbout(picture);
  return DEPENDENCIES.flatMap((on): Fault[] => [
    { on, kind: "dead", name: "refuses", quick: true, begin: (door) => door.refuse() },
    { on, kind: "dead", name: "says nothing", quick: false, begin: (door) => door.swallow() },
    ...Object.entries(lies[on]).map(
      ([name, lie], index): Fault => ({ on, kind: "lying", name, quick: index === 0, begin: (door) => door.lie(lie) }),
    ),
    { on, kind: "slow", name: "10 s late", quick: false, begin: (door) => door.delay(LATE) },
  ]);
}
