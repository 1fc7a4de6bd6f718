import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type Dirent, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ask as askDatabase } from "#tests/support/ask-database.ts";
import { certificateFor } from "#tests/support/certificates.ts";
import {
  endPayment,
  LAGOS,
  newCustomer,
  newVisitor,
  PASSWORD,
  pressPay,
  type Visitor,
} from "#tests/support/http-visitor.ts";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { ADA, type Lie, useOpenIdProvider } from "#tests/support/open-id-provider.ts";
import { ownerUrl, paidAt, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { buildIfChanged } from "../../scripts/build.ts";

// The points of docs/security.md that no other test covers, tested from outside: a shop on https behind a proxy, with
// two processes.

const ORIGIN = "https://shop.example";
const SECRET = randomBytes(32).toString("hex");
/** Values that must not appear in any log. */
const PRIVATE = {
  password: "quince-and-anvil-71",
  address: "77 Quincemark Street",
  landmark: "4084 0840 8408 4081",
  phoneNumber: "08039998887",
};

const google = useOpenIdProvider();
let shop: RunningShop;
/** A customer with the order `reference`. */
let ada: Visitor;
let reference: string;
/** A customer who has nothing to do with that order. */
let eve: Visitor;

beforeAll(async () => {
  const { clientId, clientSecret, issuer } = google.settings();
  shop = await runShop({
    PUBLIC_URL: ORIGIN,
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_ISSUER: issuer,
    SESSION_SECRET: SECRET,
    TRUSTED_PROXIES: "127.0.0.1, ::1",
    WEB_CONCURRENCY: "2",
    LOG_LEVEL: "debug",
  });
  [ada, eve] = [
    await newCustomer(shop, "ada@example.com", PRIVATE.password),
    await newCustomer(shop, "eve@example.com", PRIVATE.password),
  ];
  await ada.post("/Cart", TEE);
  const { password: _, ...address } = PRIVATE;
  reference = await buys(ada, address);
});
afterAll(() => shop?.stop());

const TEE = { intent: "add", id: "rings-tee", size: "M", quantity: "1" };

async function buys(who: Visitor, address: Partial<typeof LAGOS> & { landmark?: string }): Promise<string> {
  const payPage = (await pressPay(who, { ...LAGOS, ...address })).headers.get("location") ?? "";
  return endPayment(payPage, "success");
}

const ask = (statement: string) => askDatabase(ownerUrl(shop), statement);
const cookiesOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

type Asked = { as?: Visitor; method?: string; headers?: Record<string, string>; body?: BodyInit };
let networks = 0;

/** Sends a request from another network each time, since rate limits are not tested here. */
function send(url: string, { as, headers, ...init }: Asked = {}): Promise<Response> {
  const from = `10.1.${networks >> 8}.${networks++ & 255}`;
  const cookie: Record<string, string> = as ? { cookie: cookiesOf(as) } : {};
  return fetch(shop.url + url, {
    redirect: "manual",
    ...init,
    headers: { "x-forwarded-for": from, ...cookie, ...headers },
  });
}
const post = (url: string, fields: Record<string, string>, asked: Asked = {}) =>
  send(url, { method: "POST", body: new URLSearchParams(fields), ...asked });
const postJson = (body: unknown, asked: Asked = {}) =>
  send("/api/cart", {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...asked,
    headers: { "content-type": "application/json", ...asked.headers },
  });
const statusOf = async (asked: Promise<Response>) => (await asked).status;

/** Sends these bytes to the server, and reads until it hangs up. Returns the status of the first answer. */
async function statusOfBytes(bytes: string): Promise<string | undefined> {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  socket.write(bytes.replaceAll("\n", "\r\n"));
  return (await text(socket)).split(" ", 2)[1];
}

/** Everything in an answer that its reader could tell apart. */
async function seen(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return { status: answer.status, headers, body: await answer.text() };
}

const PATHS = [
  ...["app/routes.ts", "app/api.ts"].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:route\(|path: )"\/?([^"]+)"/g)].map(([, name = ""]) => `/${name}`),
  ),
].map((name) => name.replace(/:\w+\??/g, "x").replace("*", "nowhere"));
/** An address of each page, and of each answer to a script. */
const PLACES = () => [
  ...[
    "/",
    "/shop?size=M",
    "/shop?q=tee",
    "/singleProduct/rings-tee",
    "/about",
    "/nowhere",
    "/Cart",
    "/checkout",
    "/account",
    "/account/addresses/new",
  ],
  ...[
    "/login",
    "/register",
    "/forgotPassword",
    "/resetPassword?oobCode=x",
    "/verification?oobCode=x",
    "/signIn?oobCode=x",
    "/account/data",
  ],
  ...[
    `/order/${reference}`,
    `/order/${reference}/return`,
    `/order/${reference}/cancel`,
    `/order/${reference}/address`,
    `/order/${reference}/size`,
    "/subscribe",
    "/returnpolicy",
    "/account.data",
    "/Cart.data",
  ],
  ...["/_root.data", "/shop.data", "/api/me", "/api/cart", "/api/delivery", `/api/payments/${reference}`],
  ...["/api/suggestions?q=tee", "/api/products", "/api/products/rings-tee", "/sitemap.xml"],
];

/** Requests a new password. Returns the code of the link in the newest mail. */
async function resetCode(email: string): Promise<string> {
  await post("/forgotPassword", { email });
  const { text } = await mailTo(shop.dataDir, email, /new password/);
  return new URL(linkIn(text, "oobCode=")).searchParams.get("oobCode") ?? "";
}

describe("accounts", () => {
  test("S07 of 24 wrong passwords at once, over both processes, ten are looked at", async () => {
    const tries = Array.from({ length: 24 }, () =>
      statusOf(post("/login", { email: "eve@example.com", password: "wrong" }, { headers: { connection: "close" } })),
    );
    const statuses = await Promise.all(tries);
    expect([400, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([10, 14]);
  });

  test.each(["/register", "/resetPassword?oobCode=x"])(
    "S10 the advice on a password stands beside the field of %s",
    async (page) => {
      expect(await (await send(page)).text()).toContain("At least 6 characters; a longer one is safer.");
    },
  );

  test("S12 S26 what the database holds lets nobody in: neither codes, nor sessions, nor passwords", async () => {
    const email = "dumped@example.com";
    const who = await newCustomer(shop, email, PRIVATE.password);
    const codes: string[] = [];
    await post("/forgotPassword", { email });
    await post("/register", {
      firstName: "A",
      lastName: "B",
      email: "unproved@example.com",
      password: PRIVATE.password,
    });
    for (const [recipient, subject] of [
      [email, /new password/],
      ["unproved@example.com", /Verify/],
    ] as const) {
      const link = linkIn((await mailTo(shop.dataDir, recipient, subject)).text, "oobCode=");
      codes.push(new URL(link).searchParams.get("oobCode") ?? "");
    }
    const secrets = [...codes, ...[...who.cookies.values()].filter((value) => value.length > 20), PRIVATE.password];
    expect(secrets.length).toBeGreaterThanOrEqual(5);
    const tables = await ask(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')",
    );
    const rows = tables.map(({ name }) => `select to_jsonb(t)::text as row from ${name} t`).join(" union all ");
    const found = async () => {
      const dump = (await ask(rows)).map(({ row }) => row).join("\n");
      return secrets.filter((one) => dump.includes(one) || dump.includes(Buffer.from(one).toString("hex")));
    };
    await expect.poll(found).toEqual([]); // the code in a stored mail is deleted with the mail
  });

  test("S20 a Google sign-in that was not begun here, was mixed up or is used is refused, and nobody is signed in", async () => {
    const begin = async () => {
      const begun = await post("/auth/google", { from: "login" });
      const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
      return { state, cookie: begun.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
    };
    const [one, other] = [await begin(), await begin()];
    const answers: Response[] = [];
    for (const [query, cookie] of [
      ["", ""],
      ["?code=x", one.cookie],
      ["?state=made-up&code=x", ""],
      [`?state=${one.state}&code=x`, ""],
      [`?state=${one.state}&code=x`, other.cookie],
      [`?state=${one.state}&code=made-up`, one.cookie],
      [`?state=${one.state}&code=made-up`, one.cookie],
    ])
      answers.push(await send(`/auth/google/callback${query}`, { headers: { cookie: cookie ?? "" } }));
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(400));
    expect(answers.flatMap(({ headers }) => headers.getSetCookie()).join()).not.toContain("irepo.session=");
  });

  /** Returns from Google with these claims. Returns the session's cookie, if a session has begun. */
  async function comesFromGoogle(lie: Lie) {
    google.lies(lie);
    const begun = await post("/auth/google", { from: "login" });
    const query = google.agreed(begun.headers.get("location") ?? "");
    const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const { status, headers } = await send(`/auth/google/callback?${query}`, { headers: { cookie } });
    return { status, session: headers.getSetCookie().find((one) => one.startsWith("__Host-irepo.session=")) ?? "" };
  }
  const userOf = async ({ session }: { session: string }) =>
    (await (await send("/api/me", { headers: { cookie: session.split(";")[0] ?? "" } })).json()).user;

  test("S21 S22 nobody is signed in by an ID token of which a part is wrong, nor by an address that is not proved", async () => {
    const long = Math.floor(Date.now() / 1000) - 3600;
    const claims = [
      { nonce: "another" },
      { aud: "another-shop" },
      { iss: "https://accounts.example" },
      { iat: long, exp: long + 600 },
      { sub: undefined },
      { email: "ada@example.com", email_verified: false },
      { email: "ada@example.com", email_verified: undefined },
    ];
    const signed = ["nobody", "another key", "the client's secret"] as const;
    for (const lie of [...claims.map((one) => ({ claims: one })), ...signed.map((signedBy) => ({ signedBy }))])
      expect(await comesFromGoogle(lie), JSON.stringify(lie)).toEqual({ status: 400, session: "" });
    expect((await comesFromGoogle({ claims: { sub: "honest", email: "honest@example.com" } })).session).not.toBe("");
  });

  test("S22 who comes from Google is who its subject says, whatever the address has become", async () => {
    const first = await userOf(await comesFromGoogle({ claims: { sub: "moved", email: "moved@example.com" } }));
    expect(first).toMatchObject({ email: "moved@example.com", emailVerified: true });
    const later = await userOf(await comesFromGoogle({ claims: { sub: "moved", email: "eve@example.com" } }));
    expect(later).toEqual(first);
    const other = await userOf(
      await comesFromGoogle({ claims: { ...ADA, sub: "another", email: "other@example.com" } }),
    );
    expect(other.uid).not.toBe(first.uid);
  });

  const logsIn = async (email: string, password: string) =>
    (await statusOf(post("/login", { email, password }))) === 303;

  test("S16 a reset ends all sessions and codes, and tells the owner", async () => {
    const email = "reset@example.com";
    const devices = [await newCustomer(shop, email), newVisitor(shop.url)];
    await devices[1]?.post("/login", { email, password: PASSWORD });
    const code = await resetCode(email);
    expect(await statusOf(post("/resetPassword", { oobCode: code, password: "another-one" }))).toBe(303);
    for (const device of devices) expect((await (await device.get("/api/me")).json()).user).toBeNull();
    expect([await logsIn(email, PASSWORD), await logsIn(email, "another-one")]).toEqual([false, true]);
    expect(await statusOf(post("/resetPassword", { oobCode: code, password: "a-third-one" }))).toBe(400);
    expect((await mailTo(shop.dataDir, email, /password was changed/)).text).toContain("password");
  });

  test("S17 a reset proves the mailbox, and who came by Google has a password by it and keeps Google", async () => {
    const [unproved, byGoogle] = ["unproved-reset@example.com", "google-reset@example.com"];
    await post("/register", { firstName: "A", lastName: "B", email: unproved, password: PASSWORD });
    const claims = { sub: "google-reset", email: byGoogle };
    await comesFromGoogle({ claims });
    for (const email of [unproved, byGoogle]) {
      expect(await logsIn(email, "another-one")).toBe(false);
      await post("/resetPassword", { oobCode: await resetCode(email), password: "another-one" });
      expect(await logsIn(email, "another-one")).toBe(true);
    }
    expect(await userOf(await comesFromGoogle({ claims }))).toMatchObject({ email: byGoogle });
  });

  test("S08 of each password the database has an argon2id hash of today's strength, and no two are the same", async () => {
    const rows = await ask("select password from accounts where password is not null");
    expect(rows.length).toBeGreaterThan(4);
    for (const { password } of rows)
      expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(new Set(rows.map(({ password }) => password)).size).toBe(rows.length);
  });

  test("S24 after a login nobody is led out of the shop, whatever `next` says", async () => {
    const nexts = ["//evil.example", "/\\evil.example", "https:evil.example", "https://evil.example", "/%0d%0aX: y"];
    const more = ["\r\nLocation: https://evil.example", "/./\\evil.example", "javascript:alert(1)", "/\t/evil.example"];
    for (const next of [...nexts, ...more]) {
      const answer = await ada.post("/login", { email: "ada@example.com", password: PRIVATE.password, next });
      const to = new URL(answer.headers.get("location") ?? "", ORIGIN);
      expect([answer.status, to.origin, answer.headers.get("x")], next).toEqual([303, ORIGIN, null]);
    }
  });

  test("S29 a session lives for 14 days unused, and for 30 at most", async () => {
    const email = "ages@example.com";
    const who = await newCustomer(shop, email);
    const lives = async (used: string, begun: string) => {
      const times = `used_at = now() - interval '${used}', created_at = now() - interval '${begun}'`;
      await ask(`update sessions set ${times} from users where users.id = user_id and email = '${email}'`);
      return (await (await who.get("/api/me")).json()).user !== null;
    };
    expect(await lives("13 days 23 hours", "29 days 23 hours")).toBe(true);
    expect(await lives("14 days", "14 days")).toBe(false);
    expect(await lives("0", "30 days")).toBe(false);
  });

  test("S28 a stream ends without another word when its session has run out", async () => {
    const email = "expires@example.com";
    const [one, other] = [await newCustomer(shop, email), newVisitor(shop.url)];
    await other.post("/login", { email, password: PASSWORD });
    const stream = await one.get("/api/live");
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    let heard = "";
    const ended = stream.body?.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({
        write(part) {
          heard += part;
        },
      }),
    );
    await expect.poll(() => heard).toContain('"count":0');
    const token = one.cookies.get("__Host-irepo.session") ?? "";
    const hash = createHash("sha256").update(token).digest("hex");
    await ask(`update sessions set used_at = now() - interval '15 days' where token_hash = '\\x${hash}'`);
    await other.post("/Cart", { ...TEE, quantity: "2" });
    await ended;
    expect(heard).not.toContain('"count":2');
    expect(await (await one.get("/api/me")).json()).toEqual({ user: null, cartCount: 0 });
  });
});

describe("the browser", () => {
  const FOREIGN: [string, Record<string, string>, number][] = [
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a neighbour", { "sec-fetch-site": "same-site", origin: "https://other.shop.example" }, 403],
    ["a script that calls it text", { "content-type": "text/plain" }, 415],
    ["a form with files", { "content-type": "multipart/form-data; boundary=x" }, 415],
  ];
  test.each(FOREIGN)("S30 S55 no path takes what is sent by %s, nor its data's", async (_, headers, status) => {
    const paths = PATHS.flatMap((name) => [name, `${name}.data`]);
    expect(paths.length).toBeGreaterThan(60);
    const answers = await Promise.all(
      paths.map(async (name) => [name, await statusOf(send(name, { method: "POST", headers, body: "a=b", as: ada }))]),
    );
    const refused = answers.filter(([, answered]) => answered === status);
    expect(refused.length).toBeGreaterThan(30);
    const takesNothing = answers.filter(([, answered]) => answered === 405); // whoever sends the request
    expect([...refused, ...takesNothing].length).toBe(answers.length);
  });

  test("S30 S58 but the provider's webhook, which is asked for its signature instead, and answered without a word", async () => {
    const headers = { origin: "https://evil.example", "content-type": "text/plain" };
    const answer = await send("/webhooks/paystack", { method: "POST", body: "{}", headers });
    expect([answer.status, await answer.text()]).toEqual([401, ""]);
  });

  test("S33 each page has a policy that lets in the shop's own scripts, named ones and nothing else", async () => {
    const checkout = shop.sandboxUrl;
    const expected = {
      "default-src": "'self'",
      "base-uri": "'none'",
      "object-src": "'none'",
      "media-src": "'none'",
      "frame-ancestors": "'none'",
      "form-action": `'self' ${checkout} ${google.settings().issuer}`,
      "style-src": "'self' 'unsafe-inline'",
      "img-src": "'self' data: blob:",
      "font-src": "'self' data:",
      "connect-src": "'self'",
      "manifest-src": "'self'",
      "worker-src": "'self'",
      "frame-src": `'self' ${checkout}`,
    };
    for (const place of PLACES()) {
      const answer = await send(place, { as: ada });
      if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
      const policy = answer.headers.get("content-security-policy") ?? "";
      const { "script-src": scripts = "", ...rest } = Object.fromEntries(
        policy.split("; ").map((one) => [one.slice(0, one.indexOf(" ")), one.slice(one.indexOf(" ") + 1)]),
      );
      expect(rest, place).toEqual(expected);
      expect(scripts, place).toMatch(/^'self'( 'sha256-[\w+/]{43}=')+$/);
    }
  });

  test("S35 S61 every answer has the headers that browsers obey, and none says what answers", async () => {
    const answers = await Promise.all([
      ...PLACES().map((place) => send(place)),
      send("/login", { method: "POST", headers: { origin: "null" }, body: "a=b" }),
      send("/login", { method: "POST", headers: { "content-type": "text/plain" }, body: "a=b" }),
      post("/login", { email: "a".repeat(70_000) }),
      post("/login", {}),
      send("/webhooks/paystack", { method: "POST", body: "{}" }),
      send("/%00"),
      send("/images/none.jpg"),
      send("/api/nothing"),
    ]);
    for (const { headers, url } of answers) {
      const header = (name: string) => headers.get(name) ?? "";
      expect(header("strict-transport-security"), url).toMatch(/^max-age=31536000; includeSubDomains$/);
      expect(header("x-content-type-options"), url).toBe("nosniff");
      expect(header("content-security-policy"), url).toMatch(
        /(?=.*base-uri 'none')(?=.*object-src 'none').*frame-ancestors 'none'/,
      );
      expect(header("content-type"), url).toMatch(/^$|application\/json|text\/x-script|image\/|charset=utf-8/i);
      expect(header("referrer-policy"), url).toBe("same-origin");
      expect(header("permissions-policy"), url).toMatch(/^camera=\(\), microphone=\(\), geolocation=\(\), payment=/);
      expect(header("cross-origin-opener-policy"), url).toBe("same-origin-allow-popups");
      expect(
        [...headers.keys()].filter((name) => /^(server|x-powered-by|x-.*version)$/.test(name)),
        url,
      ).toEqual([]);
    }
    const file = await send("/favicon.svg");
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("S36 what may be kept for all is the same for all: nothing of Ada's is in what Eve would get from a cache", async () => {
    const kept: string[] = [];
    for (const place of PLACES()) {
      const answer = await send(place, { as: ada });
      const body = await answer.text();
      const caching = answer.headers.get("cache-control") ?? "";
      if (/no-store/.test(caching)) continue;
      kept.push(place);
      expect(body, place).not.toContain("ada@example.com");
      expect(answer.headers.getSetCookie(), place).toEqual([]);
      expect(body, place).toBe(await (await send(place, { as: eve })).text());
    }
    const personal =
      /^\/(account|Cart|checkout|order|login|register|reset|forgot|verification|api\/(me|cart|delivery|payments))/;
    expect(kept.filter((place) => personal.test(place))).toEqual([]);
    expect(kept).toContain("/shop?size=M");
  });
});

/** The log lines of the shop about attacks. */
function traces(): Record<string, unknown>[] {
  return shop
    .said()
    .split("\n")
    .filter((line) => line.startsWith("{") && line.includes('"security"'))
    .map((line) => JSON.parse(line));
}

describe("what belongs to somebody else", () => {
  test.each<[string, Asked, string]>([
    ["/order/REF", {}, "foreign-reference"],
    ["/order/REF.data", {}, "foreign-reference"],
    ["/order/REF/return", {}, "foreign-reference"],
    ["/order/REF/cancel", {}, "foreign-reference"],
    ["/order/REF/cancel", { method: "POST" }, "foreign-reference"],
    ["/order/REF/address", {}, "foreign-reference"],
    ["/order/REF/address", { method: "POST" }, "foreign-reference"],
    ["/order/REF/size", {}, "foreign-reference"],
    ["/order/REF/size", { method: "POST" }, "foreign-reference"],
    ["/order/REF/receipt", {}, "foreign-reference"],
    ["/order/REF/receipt.pdf", {}, "foreign-reference"],
    ["/order/REF/receipt.xml", {}, "foreign-reference"],
    ["/api/payments/REF", {}, "foreign-reference"],
    ["/api/payments/REF", { method: "POST" }, "foreign-reference"],
    ["/api/payments/none", { method: "POST" }, "unknown-reference"],
    [`/order/REF/pictures/${crypto.randomUUID()}`, {}, "unknown-picture"],
    [`/account/addresses/${crypto.randomUUID()}`, {}, "unknown-address"],
  ])("S38 %s %j is not there, and leaves a trace", async (place, asked, event) => {
    const answer = await send(place.replace("REF", reference), { ...asked, as: eve });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/Quincemark|ada@example|rings-tee|Linked Rings/);
    const id = answer.headers.get("x-request-id");
    await expect.poll(() => traces().find(({ request }) => request === id)).toMatchObject({ security: event });
  });

  test("S41 answers say what their page needs and no more", async () => {
    const json = async (place: string) => (await send(place, { as: ada })).json();
    await ada.post("/Cart", TEE);
    const [me, cart, payment, [product], data] = await Promise.all(
      ["/api/me", "/api/cart", `/api/payments/${reference}`, "/api/products", "/account/data"].map(json),
    );
    const keys = (value: object) => Object.keys(value).sort().join(" ");
    expect([keys(me), keys(me.user), keys(cart), keys(cart.lines[0]), keys(payment), keys(product)]).toEqual([
      "cartCount user",
      "email emailVerified firstName lastName uid",
      "lines version",
      "addedAt availableQuantity changes color id image maxQuantity priceCents quantity size sizes title",
      "outcome saleId",
      "color description details finalSale id images kinds price quantity sizes title",
    ]);
    expect(keys(data)).toBe(
      "addresses cart createdAt email firstName knownDevices lastName newsletter notes queues returns sales stockAlerts tags uid verified",
    );
    const pages = await Promise.all(PLACES().map(async (place) => (await send(place, { as: ada })).text()));
    expect(pages.join()).not.toMatch(
      /argon2|tokenHash|token_hash|codeHash|accessCode|access_code|idempotency|on_hand/i,
    );
    await ada.post("/Cart", { ...TEE, intent: "remove" });
  });
});

/** Fields that nobody may set about themselves or about what they buy. */
const FORGED = {
  ...{ verified: "true", emailVerified: "true", email_verified: "true", role: "owner", isAdmin: "true", uid: "forged" },
  ...{
    id: "forged",
    userId: "forged",
    user: "forged",
    sales: "[]",
    state: "sold",
    status: "paid",
    paidAt: "2020-01-01",
  },
  ...{ price: "0.01", priceCents: "1", kobo: "100", amount: "100", total: "1", totalCents: "1", subtotalCents: "1" },
  ...{ rate: "1", shippingCost: "0", shippingCents: "0", reserved: "0", reference: "forged", holdsStock: "false" },
};

describe("what is sent decides nothing that is not asked for", () => {
  test("S40 a registration and a change of the name are about the names alone", async () => {
    const email = "forged@example.com";
    const user = async () => (await ask(`select * from users where email = '${email}'`))[0];
    await post("/register", { ...FORGED, firstName: "Eve", lastName: "X", email, password: PASSWORD });
    expect(await user()).toMatchObject({ email_verified: false, id: expect.not.stringMatching("forged") });
    expect(await (await post("/login", { ...FORGED, email, password: PASSWORD })).text()).toContain("Please verify");
    const who = await newCustomer(shop, "forging@example.com");
    const before = await ask("select * from users where email = 'forging@example.com'");
    const change = { ...FORGED, setting: "name", firstName: "Eve", lastName: "Y", email: "ada@example.com" };
    expect(await statusOf(post("/account", change, { as: who }))).toBe(303);
    const [after] = await ask("select * from users where email = 'forging@example.com'");
    const { names_changed_at, updated_at, words, ...rest } = after ?? {};
    expect({ ...before[0], first_name: "Eve", last_name: "Y" }).toMatchObject(rest);
  });

  test("S40 S42 neither price nor sum, rate, delivery, state or reference of an order is the shopper's to say", async () => {
    const who = await newCustomer(shop, "pays-less@example.com");
    const { id: _, ...forged } = FORGED;
    await post("/Cart", { ...forged, ...TEE }, { as: who });
    await postJson({ ...forged, ...TEE, size: "L", quantity: 1 }, { as: who });
    const cart = await (await send("/api/cart", { as: who })).json();
    expect(cart.lines).toMatchObject([{ priceCents: 2499 }, { priceCents: 2499 }]);
    const paid = await pressPay(who, { ...forged, ...LAGOS });
    expect(paid.status).toBe(303);
    const [order] = await ask(
      `select o.*, p.reference, p.state as payment from orders o join payments p on p.order_id = o.id
       where user_id = (select id from users where email = 'pays-less@example.com')`,
    );
    expect(order).toMatchObject({ state: "open", payment: "pending", subtotal_cents: 4998, shipping_cents: 350 });
    expect([Number(order?.kobo), Number(order?.rate)]).toEqual([8_556_800, 1600]);
    expect(order?.reference).toMatch(/^[\da-f]{32}$/);
  });

  test("S43 a quantity that is none is refused everywhere, and neither cart nor stock change", async () => {
    const who = await newCustomer(shop, "counts@example.com");
    const state = async () => [
      await (await send("/api/cart", { as: who })).json(),
      await (await send("/api/products/rings-tee")).json(),
    ];
    const before = await state();
    const wrong = [
      "0",
      "-1",
      "1.5",
      '"2"',
      "1000000000",
      "null",
      "[1]",
      "{}",
      "true",
      "9007199254740992",
      "1e400",
      "NaN",
    ];
    for (const intent of ["add", "set"])
      for (const quantity of wrong) {
        const body = `{"intent":"${intent}","id":"rings-tee","size":"M","quantity":${quantity}}`;
        expect(await statusOf(postJson(body, { as: who })), body).toBe(400);
      }
    const typed = [
      "0",
      "-1",
      "1.5",
      "1,5",
      "1000000000",
      "NaN",
      "",
      "Infinity",
      "9007199254740992",
      "0x2",
      "1e1",
      "two",
    ];
    for (const intent of ["add", "set"])
      for (const quantity of typed)
        expect(await statusOf(post("/Cart", { ...TEE, intent, quantity }, { as: who })), quantity).toBe(400);
    expect(await state()).toEqual(before);
  });

  test("S44 no step can be left out: no payment without a login, a cart or an address, no order without a payment", async () => {
    const transactions = async () => (await (await fetch(`${shop.sandboxUrl}/__sandbox/transactions`)).json()).length;
    const before = await transactions();
    const [guest, empty] = [newVisitor(shop.url), await newCustomer(shop, "empty@example.com")];
    const asGuest = await guest.post("/checkout", LAGOS);
    expect([asGuest.status, asGuest.headers.get("location")]).toEqual([303, "/login?next=/checkout"]);
    expect((await pressPay(empty)).status).toBe(400);
    await empty.post("/Cart", TEE);
    expect((await pressPay(empty, { country: "Nigeria" })).status).toBe(400);
    const back = await empty.get("/checkout/return?reference=made-up");
    expect(back.headers.get("location")).toBe("/order/made-up");
    expect((await empty.get("/order/made-up")).status).toBe(404);
    expect((await empty.post("/api/payments/made-up", {})).status).toBe(404);
    expect(await transactions()).toBe(before);
    expect(await (await empty.get("/account/data")).json()).toMatchObject({ sales: [] });
  });

  test("S39 of two orders in a row neither the references nor the numbers tell of each other", async () => {
    const who = await newCustomer(shop, "counts@example.com");
    const orders: string[][] = [];
    for (let i = 0; i < 2; i++) {
      await who.post("/Cart", TEE);
      const reference = await buys(who, {});
      const [number = ""] =
        /IR-[0-9A-Z]{4}-[0-9A-Z]{2}/.exec(await (await who.get(`/order/${reference}`)).text()) ?? [];
      expect([reference, number]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringContaining("IR-")]);
      orders.push([reference.slice(0, 8), number.slice(0, 7)]);
    }
    expect(orders[0]?.filter((start) => orders[1]?.includes(start))).toEqual([]);
  });

  test("S46 the last piece is sold once, though four shoppers pay for it at the same time", async () => {
    const shoppers = await Promise.all([1, 2, 3, 4].map((n) => newCustomer(shop, `last-${n}@example.com`)));
    const sold = async () => Number((await ask(`select sold from product_sizes ${last}`))[0]?.sold);
    const last = "where product_id = 'rings-tee' and size = 'S'";
    await Promise.all(shoppers.map((one) => one.post("/Cart", { ...TEE, size: "S" })));
    await ask(`update product_sizes set supplied = sold + 1 ${last}`);
    const before = await sold();
    const answers = await Promise.all(shoppers.map((one) => pressPay(one)));
    const payPages = answers.flatMap(({ headers }) => headers.get("location") ?? []);
    for (const payPage of payPages) await endPayment(payPage, "success");
    expect(payPages).toHaveLength(1);
    await expect.poll(sold).toBe(before + 1);
  });

  test("S47 who subscribes twice is told the same twice, and nobody learns who had", async () => {
    const form = { firstName: "Ada", email: "reads@example.com" };
    const answers = [];
    for (const fields of [form, form, { ...form, email: "new@example.com" }])
      answers.push(await seen(await post("/subscribe", fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect(await ask("select email from subscriptions where email = 'reads@example.com'")).toHaveLength(1);
  });
});

const MARKUP = {
  firstName: "<img src=x onerror=alert(1)>",
  lastName: `"><svg/onload=alert(1)>`,
  address: "</script><script>alert(1)</script>",
  landmark: "]]><!--\u2028<iframe srcdoc=x>{{7*7}}",
};

describe("what is typed stays text", () => {
  const SQL = [
    ...["'", `"`, "';--", "' or '1'='1", "') or ('1'='1", "1; drop table users", "\\'; select 1; --", "%' or 1=1 --"],
    ...[
      "' union select password from accounts --",
      "'||(select pg_sleep(9))||'",
      "1) or pg_sleep(9) is null --",
      "$$;--",
    ],
  ];
  test.each(SQL)("S48 %s is looked for, not carried out", async (payload) => {
    const typed = encodeURIComponent(payload);
    const places = [`/shop?q=${typed}`, `/shop?color=${typed}&min=${typed}&sort=${typed}`, `/singleProduct/${typed}`];
    const more = [
      `/api/products/${typed}`,
      `/api/suggestions?q=${typed}`,
      `/order/${typed}`,
      `/api/products?after=${typed}`,
    ];
    const began = performance.now();
    const statuses = await Promise.all([
      ...[...places, ...more, `/verification?oobCode=${typed}`].map((place) => statusOf(send(place, { as: eve }))),
      statusOf(post("/login", { email: payload, password: payload })),
      statusOf(post("/forgotPassword", { email: payload })),
      statusOf(post("/Cart", { ...TEE, id: payload, size: "M" }, { as: eve })),
      statusOf(send("/Cart", { headers: { cookie: `__Host-irepo.session=${typed}` } })),
    ]);
    expect(performance.now() - began).toBeLessThan(8000); // injected sleeps would take 9 s
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(Number((await ask("select count(*) from users"))[0]?.count)).toBeGreaterThan(1); // ada and eve at least
  });

  test("S54 an address of another machine is a text wherever it is sent: the shop asks nobody there", async () => {
    let asked = 0;
    const inside = createServer((socket) => {
      asked++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(inside, "listening");
    const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    const names = [
      "next",
      "url",
      "image",
      "images",
      "picture",
      "title",
      "id",
      "intent",
      "email",
      "firstName",
      "lastName",
    ];
    const all = [
      ...names,
      ...Object.keys(LAGOS),
      "setting",
      "landmark",
      "reference",
      "oobCode",
      "from",
      "how",
      "issuer",
      "iss",
    ];
    const fields = Object.fromEntries(all.map((name) => [name, url]));
    const headers = { referer: url, "x-forwarded-host": url.slice(7, -1), "x-original-url": url };
    const email = "inner@example.com";
    const as = await newCustomer(shop, email);
    for (const place of PATHS.filter((name) => name !== "/logout")) {
      await post(place, fields, { as, headers });
      await send(`${place}?${new URLSearchParams(fields)}`, { as, headers });
    }
    await postJson({ intent: "price", items: [{ id: url, title: url, image: url, size: "M", quantity: 1 }] });
    await resetCode(email); // the job of this mail begins after all of that is done
    expect(asked).toBe(0);
    inside.close();
  });

  test("S49 names and addresses with markup are shown as they are, on pages, in their data and in mails", async () => {
    const email = "markup@example.com";
    const who = await newCustomer(shop, email);
    const { firstName, lastName } = MARKUP;
    expect((await who.post("/account", { setting: "name", firstName, lastName })).status).toBe(303);
    await who.post("/subscribe", { firstName, email });
    await who.post("/Cart", TEE);
    const bought = await buys(who, { ...MARKUP, email });
    await who.post("/Cart", TEE);
    const places = ["/", "/account", `/order/${bought}`, "/checkout"];
    const pages = await Promise.all(places.map(async (place) => (await who.get(place)).text()));
    const { html } = await mailTo(shop.dataDir, email, /order/i);
    expect(pages[1]).toContain("&lt;img src=x onerror=alert(1)&gt;");
    for (const [at, page] of [...pages, html].entries())
      expect(page.match(/<img src=x|<svg\/onload|<script>alert|<iframe/), `${at}`).toBeNull();
    for (const place of places.map((place) => (place === "/" ? "/_root.data" : `${place}.data`))) {
      const type = (await who.get(place)).headers.get("content-type");
      expect(type, place).not.toMatch(/html|javascript/);
    }
  });

  test("S50 a line break in a field is none in a mail, and each mail has the one reader that it is for", async () => {
    const broken = "ada@example.com\r\nBcc: eve@example.com";
    const person = { firstName: "Ada", lastName: "Obi", email: "ada@example.com", password: PASSWORD };
    for (const fields of [
      { email: broken },
      { email: "ada@example.com,eve@example.com" },
      { email: "Ada <ada@example.com>" },
      { email: "new-one@example.com", firstName: "Ada\r\nBcc: eve@example.com" },
    ])
      expect(await statusOf(post("/register", { ...person, ...fields }))).toBe(400);
    for (const form of ["/subscribe", "/forgotPassword"])
      expect(await statusOf(post(form, { firstName: "Ada", email: broken }))).toBe(400);
    const outbox = path.join(shop.dataDir, "outbox");
    for (const name of readdirSync(outbox).filter((name) => name.endsWith(".eml") && !name.startsWith("."))) {
      const { to, cc, bcc } = await PostalMime.parse(readFileSync(path.join(outbox, name)));
      expect([to?.length, cc, bcc]).toEqual([1, undefined, undefined]);
    }
  });

  test.each<[string, () => Promise<Response>, number]>([
    [
      "S51 JSON that names a prototype",
      () => postJson('{"intent":"show","__proto__":{"isAdmin":true}}', { as: eve }),
      400,
    ],
    ["S51 deep inside, too", () => postJson('{"intent":"price","items":[{"a":{"__proto__":{}}}]}'), 400],
    ["S51 by its constructor", () => postJson('{"intent":"show","constructor":{"prototype":{}}}', { as: eve }), 400],
    ["S51 a query that does", () => send("/shop?__proto__[x]=1&constructor[prototype][x]=1"), 200],
    ["S51 parameters that come twice", () => send("/shop?size=M&size=L&page=1&page=2"), 200],
    ["S51 a form that does", () => post("/subscribe?__proto__=x", { __proto__x: "1", constructor: "x" }), 400],
    ["S52 JSON of more than 64 KB", () => postJson(`{"intent":"show"${" ".repeat(66_000)}}`, { as: eve }), 413],
    ["S52 a list of 201", () => postJson({ intent: "price", items: Array(201).fill({}) }), 400],
    ["S52 a list of 200", () => postJson({ intent: "price", items: Array(200).fill({}) }), 200],
    [
      "S52 JSON for a page",
      () => send("/login", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
      415,
    ],
    [
      "S52 a small pack that holds much",
      () =>
        send("/login", {
          method: "POST",
          body: gzipSync(Buffer.alloc(10_000_000, "a")),
          headers: { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" },
        }),
      415,
    ],
  ])("%s", async (_, asked, status) => {
    expect(await statusOf(asked())).toBe(status);
  });

  const HEAD = "Host: localhost\nContent-Type: application/x-www-form-urlencoded\nConnection: close";
  const LOGIN = `POST /login HTTP/1.1\n${HEAD}`;
  test.each([
    ["a length and chunks", `${LOGIN}\nContent-Length: 6\nTransfer-Encoding: chunked\n\n0\n\nGET /x`, "400"],
    ["two lengths", `${LOGIN}\nContent-Length: 3\nContent-Length: 6\n\na=b`, "400"],
    ["a length that is none", `${LOGIN}\nContent-Length: +3\n\na=b`, "400"],
    ["chunks in another coding", `${LOGIN}\nTransfer-Encoding: xchunked\n\n0\n\n`, "400"],
    ["chunks under a name with a space", `${LOGIN}\nTransfer-Encoding : chunked\n\n0\n\n`, "400"],
    ["a chunk whose size is none", `${LOGIN}\nTransfer-Encoding: chunked\n\nzz\na=b\n0\n\n`, "400"],
    ["a header that goes on in the next line", `${LOGIN}\nX-A: a\n b\nContent-Length: 0\n\n`, "400"],
    ["a header with a character that none has", "GET / HTTP/1.1\nHost: localhost\nX-A: a\u0001b\n\n", "400"],
    ["TRACE", "TRACE / HTTP/1.1\nHost: localhost\nConnection: close\n\n", "405"],
    ["CONNECT", "CONNECT evil.example:80 HTTP/1.1\nHost: localhost\nConnection: close\n\n", undefined],
  ])("S57 a request with %s is refused", async (_, bytes, status) => {
    expect(await statusOfBytes(bytes)).toBe(status);
  });
});

describe("the machine", () => {
  async function filesForBrowsers(): Promise<Dirent[]> {
    const client = path.join(await buildIfChanged(), "client");
    return readdirSync(client, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  }
  const textsOf = (files: Dirent[]) =>
    files
      .filter(({ name }) => /\.(js|css|html|svg|webmanifest)$/.test(name))
      .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), "utf8"));

  test("S59 S65 browsers get neither secrets nor maps of the sources", async () => {
    const files = await filesForBrowsers();
    expect(files.filter(({ name }) => name.endsWith(".map") || name.startsWith("."))).toEqual([]);
    const scripts = textsOf(files);
    expect(scripts.length).toBeGreaterThan(20);
    const told = [
      ...scripts,
      ...(await Promise.all(PLACES().map(async (place) => (await send(place, { as: ada })).text()))),
    ];
    expect(told.filter((one) => one.includes(SECRET))).toEqual([]);
    const secret =
      /sk_(?:test|live)_\w+|SESSION_SECRET|DATABASE_URL|postgres(?:ql)?:\/\/|BEGIN [A-Z ]*PRIVATE KEY|sourceMappingURL=/;
    expect(told.map((one) => secret.exec(one)?.[0]).filter(Boolean)).toEqual([]);
  });

  test.each([
    ...["/.git/config", "/.git/HEAD", "/.env", "/package.json", "/server.ts", "/data/session-secret", "/.npmrc"],
    ...[
      "/assets/../.env",
      "/assets/%2e%2e/%2e%2e/package.json",
      "/assets/..%2f..%2fpackage.json",
      "/..%5c..%5cpackage.json",
    ],
    ...["/images/../../package.json", "/images/%2e%2e%2fpackage.json", "/assets/entry.client.js.map", "/.well-known/x"],
  ])("S65 there is no %s", async (file) => {
    expect(await statusOfBytes(`GET ${file} HTTP/1.1\nHost: localhost\nConnection: close\n\n`)).toMatch(/^40[04]$/);
  });

  test("S62 a payment provider whose certificate nobody vouches for is not told the key", async () => {
    const certificate = certificateFor("localhost");
    const keys: unknown[] = [];
    const provider = createSecureServer(certificate, ({ headers }, answer) => {
      keys.push(headers.authorization);
      answer.writeHead(503).end();
    });
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void provider.close());
    const refused = once(provider, "tlsClientError");
    const demo = await runShop();
    onTestFinished(() => demo.stop());
    const cert = path.join(demo.dataDir, "provider.pem");
    writeFileSync(cert, certificate.cert);
    const settings = paidAt(demo.sandboxUrl);
    await demo.restart({
      ...settings,
      PAYSTACK_API_URL: `https://localhost:${(provider.address() as AddressInfo).port}`,
    });
    const bola = await newCustomer(demo, "bola@example.com");
    await bola.post("/Cart", TEE);
    expect((await pressPay(bola)).headers.get("location")).toBeNull();
    await refused;
    expect(keys).toEqual([]);
    await demo.restart({ NODE_EXTRA_CA_CERTS: cert });
    await pressPay(bola);
    expect(keys).toContain(`Bearer ${settings.PAYSTACK_SECRET_KEY}`); // sent once the server's certificate is trusted
  });

  test("S66 nothing answers who asks for server components or server functions", async () => {
    const id = "7f8a".repeat(10);
    for (const place of PLACES()) {
      const asked = await send(place, { as: ada, headers: { accept: "text/x-component", rsc: "1" } });
      expect([place, asked.headers.get("content-type")]).not.toEqual([place, expect.stringContaining("x-component")]);
      await asked.body?.cancel();
      for (const header of ["next-action", "rsc-action-id", "x-rsc-action"]) {
        const called = await send(place, { as: ada, method: "POST", body: '["$F1"]', headers: { [header]: id } });
        expect(`${called.status} ${place} ${header}`).toMatch(/^(404|405|415) /);
      }
      const form = new FormData();
      form.set(`$ACTION_ID_${id}`, "");
      form.set("0", '{"then":"$1:__proto__:then","value":"{}"}');
      expect(`${await statusOf(send(place, { as: ada, method: "POST", body: form }))} ${place}`).toMatch(
        /^(400|404|405|415) /,
      );
    }
    const scripts = textsOf(await filesForBrowsers());
    expect(scripts.filter((text) => /react-server-dom|createServerReference/.test(text))).toEqual([]);
  });

  test("S61 no answer to nonsense tells how the shop is made", async () => {
    const answers = await Promise.all([
      ...["/nowhere", "/%E0%A4%A", "/singleProduct/%FF", "/api/payments/%00", "/order/%", "/api/nothing"].map((place) =>
        send(place),
      ),
      ...["/images/x", "/nowhere.data", "/login.data?_routes=x", "/demo/mail?mail=x"].map((place) => send(place)),
      postJson("{"),
      post("/nowhere", {}),
      post("/about", {}),
      send("/shop", { method: "DELETE" }),
    ]);
    for (const answer of answers) {
      expect(answer.status, answer.url).toBeLessThan(500);
      expect(await answer.text(), answer.url).not.toMatch(
        /node_modules|\n\s+at |kysely|postgres|\bselect .* from |\/app\//i,
      );
      expect(answer.headers.get("x-request-id"), answer.url).toMatch(/^[\da-f-]{36}$/);
    }
  });

  test("S64 who asks whether it lives is told that alone, and its figures stand behind no door of the shop", async () => {
    const answers = await Promise.all(
      ["/healthz", "/readyz", "/status"].map(async (place) => (await send(place)).text()),
    );
    expect(answers).toEqual([expect.stringMatching(/^ok \d+\.\d+\.\d+$/), "ready", "works"]);
    expect(await statusOf(send("/metrics"))).toBe(404);
  });

  test("S56 while 500 clients are slow in every way the others are answered as fast", async () => {
    const form = "Host: localhost\r\nContent-Type: application/x-www-form-urlencoded";
    const begins = [
      "",
      "GET /shop HTTP/1.1\r\nHost: localhost\r\nX-A: ",
      `POST /login HTTP/1.1\r\n${form}\r\nContent-Length: 60000\r\n\r\na`,
      "GET /shop HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3), // without reading the answers
    ];
    async function p95(): Promise<number> {
      const times: number[] = [];
      for (let i = 0; i < 60; i++) {
        const began = performance.now();
        await (await send(i % 2 ? "/shop?size=M" : "/api/cart", { as: eve })).arrayBuffer();
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[56] ?? Number.NaN;
    }
    // The machine may be busy for a while, so the best of several measurements counts. Nobody notices 50 ms.
    const alone = Math.min(await p95(), await p95(), await p95());
    const asFast = Math.max(2 * alone, 50);
    const { port } = new URL(shop.url);
    const until = performance.now() + 8000; // the server closes them from 15 s on
    const sockets = Array.from({ length: 500 }, (_, i) => {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      socket.pause().write(begins[i % 4] ?? "");
      return socket;
    });
    const dripping = setInterval(() => {
      for (const [i, socket] of sockets.entries()) if (i % 4 === 1 || i % 4 === 2) socket.write("a");
    }, 500);
    try {
      await expect.poll(() => sockets.every(({ connecting }) => !connecting)).toBe(true);
      let beside = Number.POSITIVE_INFINITY;
      while (beside >= asFast && performance.now() < until) beside = Math.min(beside, await p95());
      expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
      expect(beside).toBeLessThan(asFast);
    } finally {
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    }
  });

  test("S60 after all that the log holds nothing private, each line is one, and says when and of which request", async () => {
    const forged = '\r\n{"level":50,"msg":"forged"}';
    const login = { email: `nobody@example.com${forged}`, password: PRIVATE.password };
    await post("/login", login, { headers: { "user-agent": "forged agent" } });
    await send(`/login${encodeURIComponent(forged)}`, { method: "POST", headers: { origin: "null" } });
    const done = await ada.post("/login", { email: "ada@example.com", password: PRIVATE.password });
    const id = done.headers.get("x-request-id");
    await expect
      .poll(() => traces().find(({ request }) => request === id))
      .toMatchObject({
        security: "login-done",
        way: "password",
      });
    const lines = shop.said().split("\n").filter(Boolean);
    const told = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    expect(lines.filter((line) => !line.startsWith("{") && line.includes("forged"))).toEqual([]);
    expect(told.filter(({ msg }) => msg === "forged")).toEqual([]);
    expect(told.every(({ time, level }) => Number.isInteger(time) && Number.isInteger(level))).toBe(true);
    for (const event of ["login-failed", "limit-reached", "foreign-origin", "unsigned-webhook", "reset-asked"])
      expect(
        told.find(({ security }) => security === event),
        event,
      ).toMatchObject({ request: expect.any(String) });
    const secrets = [...Object.values(PRIVATE), SECRET, ...ada.cookies.values(), ...eve.cookies.values()];
    expect(secrets.filter((one) => one.length > 4 && lines.some((line) => line.includes(one)))).toEqual([]);
    expect(lines.filter((line) => /oobCode=|sk_test_|argon2id|ada@example\.com/.test(line))).toEqual([]);
  });
});
