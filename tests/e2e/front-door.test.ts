import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { endPayment, LAGOS, newCustomer, PASSWORD, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";

const name = `irepo_${randomBytes(6).toString("hex")}`;
let proxy: FaultProxy;
let shop: RunningShop;
let customer: Visitor;
let reference: string;

beforeAll(async () => {
  await asAdmin(`create database ${name}`);
  proxy = await startFaultProxy(Number(new URL(inject("postgresUrl")).port));
  const url = new URL(inject("postgresUrl"));
  Object.assign(url, { port: proxy.port, pathname: `/${name}` });
  shop = await runShop({ DATABASE_URL: url.href, TRUSTED_PROXIES: "127.0.0.1,::1", LOG_LEVEL: "info" });
  customer = await newCustomer(shop, "ada@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  const payPage = (await pressPay(customer)).headers.get("location") ?? "";
  reference = await endPayment(payPage, "success");
  // The shop reads its provider's metadata once: on a busy machine that may take too long the first time.
  while ((await ask(form("/auth/google", {}))).status !== 303);
});

afterAll(async () => {
  proxy?.thaw();
  await shop?.stop();
  await proxy?.close();
  await asAdmin(`drop database if exists ${name} with (force)`);
});

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

type Asked = { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer };
let visitors = 0;

/** Sends a request unchanged, each time from another network, since rate limits are not tested here. */
async function ask({ method = "GET", path, headers, body }: Asked) {
  const from = `10.${visitors >> 16}.${(visitors++ >> 8) & 255}.${visitors & 255}`;
  const asking = request(shop.url, { method, path, headers: { "x-forwarded-for": from, ...headers }, agent: false });
  asking.end(body);
  const [answer] = await once(asking, "response");
  return { status: answer.statusCode as number, headers: answer.headers, text: await text(answer) };
}

const cookies = () => [...customer.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
const form = (path: string, fields: Record<string, string>, headers = {}): Asked => ({
  method: "POST",
  path,
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  body: Object.entries(fields)
    .map(([key, value]) => `${key}=${percent(value)}`)
    .join("&"),
});
const json = (body: unknown, headers = {}): Asked => ({
  method: "POST",
  path: "/api/cart",
  headers: { "content-type": "application/json", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** Percent-encodes a value, including lone surrogates, which no text can contain. */
function percent(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("%EF%BF%BD", "%ED%A0%80");
}

const HOSTILE: Record<string, string> = {
  NUL: "a\0b",
  "the first half of a character": "\ud83d",
  "the second half of a character": "\ude00x",
  "a character at the place where texts are cut": "😀".repeat(600).slice(1),
  "a long text": "a".repeat(5000),
  "a number beyond all": "9".repeat(400),
  "a lone percent": "%",
  "line breaks": "a\r\nSet-Cookie: x=y",
  "a way out": "../../../etc/passwd",
  "every object's own": "__proto__",
};

const SETTINGS = ["name", "password", "email", "sign-out", "sign-out-all", "delete", "x"];
const FIELDS = [
  "email",
  "password",
  "firstName",
  "lastName",
  "oobCode",
  "next",
  "guestCart",
  "mergeId",
  "intent",
  "id",
  "size",
];

/** Requests for every place that takes a visitor's text. */
function doors(value: string): Asked[] {
  const typed = percent(value);
  const all = Object.fromEntries(FIELDS.map((field) => [field, value]));
  const mine = { cookie: cookies() };
  const piece = { id: value, selectedSize: value, sizes: value, quantity: 1, price: value, title: value, color: value };
  const packed = Buffer.from(JSON.stringify([piece])).toString("base64url");
  const line = { id: "rings-tee", size: "S", quantity: 1 };
  const signIn = { email: "ada@example.com", password: PASSWORD };
  return [
    ...["shop?q=", "shop?color=", "shop?min=", "shop?page=", "shop.data?q=", "shop?_routes&q=", "api/suggestions?q="],
    ...[
      "login?next=",
      "resetPassword?oobCode=",
      "signIn?oobCode=",
      "verification?oobCode=",
      "checkout/return?reference=",
      "Cart?",
    ],
    ...["auth/google/callback?state=", "account?", "singleProduct/", "api/products/", "api/payments/", "order/"],
    ...["images/", "assets/", "demo/mail?mail=", "", "_root.data?_routes="],
  ]
    .map((path): Asked => ({ path: `/${path}${typed}`, headers: mine }))
    .concat(
      [
        "/login",
        "/register",
        "/forgotPassword",
        "/resetPassword",
        "/signIn",
        "/verification",
        "/subscribe",
        "/auth/google",
      ].map((path) => form(path, all)),
      form("/register", {
        firstName: value,
        lastName: value,
        email: `${randomBytes(4).toString("hex")}@example.com`,
        password: PASSWORD,
      }),
      form("/subscribe", { firstName: value, email: `${randomBytes(4).toString("hex")}@example.com` }),
      form("/login", { ...signIn, guestCart: JSON.stringify([piece]), mergeId: value, next: value }),
      form("/auth/google", {
        from: "login",
        how: "page",
        guestCart: JSON.stringify([piece]),
        mergeId: value,
        next: value,
      }),
      form("/Cart", { intent: "add", id: value, size: value, quantity: value }, mine),
      form("/Cart", { intent: "add", id: value, size: "M", quantity: "1" }),
      form("/checkout", { ...LAGOS, address: value, city: value, landmark: value }, mine),
      form("/checkout", Object.fromEntries(Object.keys(LAGOS).map((field) => [field, value])), mine),
      SETTINGS.map((setting) => form("/account", { setting, ...all }, mine)),
      ["price", "merge"].map((intent) =>
        json({ intent, items: [piece, { [value]: value }, value], mergeId: value }, mine),
      ),
      ["add", "set", "remove"].map((intent) => json({ intent, ...line, id: value }, mine)),
      ["add", "set", "remove"].map((intent) => json({ intent, ...line, size: value }, mine)),
      json({ intent: "add", ...line, key: value }, mine),
      json({ intent: value }, mine),
      json({ intent: "take" }, { cookie: `irepo.items=${percent(value).slice(0, 3000)}.${packed.slice(0, 3000)}` }),
      ["session", "device", "google", "pieces"].map(
        (cookie): Asked => ({
          path: "/Cart",
          headers: { cookie: `irepo.${cookie}=${percent(value).slice(0, 3000)}` },
        }),
      ),
    );
}

const NESTED = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

describe("HTTP/1.0, as health checks of older proxies speak it", () => {
  async function statusOf(request: string): Promise<string | undefined> {
    const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
    socket.write(request);
    return (await text(socket)).split(" ", 2)[1];
  }
  test.each(["/healthz", "/readyz", "/status", "/", "/about", "/login", "/api/suggestions?q=tee"])(
    "is answered without a Host: %s",
    async (path) => {
      expect(await statusOf(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe("200");
    },
  );

  test("later versions must name it", async () => {
    expect(await statusOf("GET /healthz HTTP/1.1\r\n\r\n")).toBe("400");
  });
});

describe("no input of a visitor is an error of the shop", () => {
  test.each(Object.entries(HOSTILE))("S53 %s, at every door", async (_, value) => {
    const wrong: string[] = [];
    for (const asked of doors(value)) {
      const { status } = await ask(asked);
      if (status >= 500)
        wrong.push(
          `${status} ${asked.method ?? "GET"} ${asked.path.slice(0, 60)} ${String(asked.body ?? "").slice(0, 80)}`,
        );
    }
    expect(wrong).toEqual([]);
  });

  test.each<[string, Asked, number]>([
    ["S52 JSON that is nested too deeply", json(`{"intent":"price","items":${NESTED}}`), 400],
    ["JSON that is none", json("{"), 400],
    ["a name with half a character", json('{"intent":"price","items":[],"\\ud800":1}'), 400],
    ["S52 a webhook of 300 kB", { method: "POST", path: "/webhooks/paystack", body: Buffer.alloc(300_000, "x") }, 413],
    ["a method that no page has", { method: "DELETE", path: "/shop" }, 405],
    ["S52 a body that is packed", form("/login", {}, { "content-encoding": "br" }), 415],
  ])("%s", async (_, asked, status) => {
    expect((await ask(asked)).status).toBe(status);
  });

  test("a signed webhook with what no database text holds: taken, once and for all", async () => {
    const { body, signature } = signedWebhook("charge.success", { reference: "\ud800", message: "\0" });
    const headers = { "x-paystack-signature": signature };
    for (let i = 0; i < 2; i++)
      expect((await ask({ method: "POST", path: "/webhooks/paystack", body, headers })).status).toBe(200);
  });
});

/** The log lines of the shop about attacks. */
function traces(): Record<string, string | number>[] {
  return shop
    .said()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter((line) => line.security);
}

describe("an attack leaves a trace: one line, with the request's id and without whoever it was", () => {
  const stranger = "198.51.100.77";
  const email = "victim@example.com";
  const from = { "x-forwarded-for": stranger };
  /** Registers an account whose address is not verified. Returns the address. */
  async function unverified(): Promise<string> {
    const email = "unproved@example.com";
    await ask(form("/register", { firstName: "U", lastName: "P", email, password: PASSWORD }));
    return email;
  }
  const cases: [event: string, () => Promise<Asked>][] = [
    ["login-failed", async () => form("/login", { email, password: "wrong-one" }, from)],
    ["login-failed", async () => form("/login", { email: await unverified(), password: PASSWORD }, from)],
    [
      "account-not-deleted",
      async () => {
        const doubtful = await newCustomer(shop, "doubtful@example.com");
        const cookie = [...doubtful.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
        return form("/account", { setting: "delete", current: "wrong-one" }, { ...from, cookie });
      },
    ],
    ["reset-asked", async () => form("/forgotPassword", { email }, from)],
    ["reset-failed", async () => form("/resetPassword", { oobCode: "made-up", password: PASSWORD }, from)],
    ["foreign-origin", async () => form("/login", { email }, { ...from, origin: "https://evil.example" })],
    ["unsigned-webhook", async () => ({ method: "POST", path: "/webhooks/paystack", body: "{}", headers: from })],
    [
      "foreign-reference",
      async () => {
        const other = await newCustomer(shop, "other@example.com");
        const cookie = [...other.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
        return { path: `/api/payments/${reference}`, headers: { ...from, cookie } };
      },
    ],
    ["unknown-reference", async () => ({ path: "/order/guessed", headers: { ...from, cookie: cookies() } })],
  ];

  test.each(cases)("S60 %s", async (event, asked) => {
    const answer = await ask(await asked());
    const id = answer.headers["x-request-id"];
    await expect.poll(() => traces().filter(({ request }) => request === id)).toHaveLength(1);
    const line = traces().find(({ request }) => request === id) ?? {};
    expect(line).toMatchObject({ security: event, network: expect.stringMatching(/^[\w-]{16}$/) });
    expect(JSON.stringify(line)).not.toMatch(/victim|other@|ada@|doubtful|unproved|198\.51|made-up/);
  });

  test("the same network and the same account have the same names, others have others", async () => {
    const tries = [
      { as: email, from },
      { as: "VICTIM@example.com ", from },
      { as: "nobody@example.com", from: { "x-forwarded-for": "198.51.100.78" } },
    ];
    const ids: unknown[] = [];
    for (const { as, from } of tries)
      ids.push((await ask(form("/login", { email: as, password: "wrong-two" }, from))).headers["x-request-id"]);
    const lines = () => traces().filter(({ request }) => ids.includes(request));
    await expect.poll(lines).toHaveLength(3);
    const [first, again, other] = lines().map(({ network, account }) => [network, account]);
    expect(again).toEqual(first);
    expect(new Set([...(first ?? []), ...(other ?? [])]).size).toBe(4);
  });

  test("S60 of tries beyond a limit the first leaves a line, not each", async () => {
    const refused = [];
    for (let i = 0; i < 9; i++)
      refused.push(await ask(form("/subscribe", { firstName: "A", email: "again@example.com" }, from)));
    expect(refused.slice(5).map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    const ids = refused.map(({ headers }) => headers["x-request-id"]);
    const lines = () => traces().filter(({ request }) => ids.includes(String(request)));
    await expect.poll(lines).toMatchObject([{ security: "limit-reached", limit: "subscribe for", tooMany: 1 }]);
  });

  const flood = { "x-forwarded-for": "198.51.100.79" };
  test.each<[event: string, Asked]>([
    ["foreign-origin", form("/login", { email }, { ...flood, origin: "https://evil.example" })],
    ["unsigned-webhook", { method: "POST", path: "/webhooks/paystack", body: "{}", headers: flood }],
    ["google-refused", { path: "/auth/google/callback?state=made-up&code=x", headers: flood }],
    ["unknown-reference", { path: "/order/guessed", headers: flood }],
  ])("S60 of %s from one network the first and the tenth leave a line, not each", async (event, asked) => {
    const headers = { ...asked.headers, cookie: event === "unknown-reference" ? cookies() : "" };
    const refused = [];
    for (let i = 0; i < 12; i++) refused.push(await ask({ ...asked, headers }));
    const ids = refused.map(({ headers }) => headers["x-request-id"]);
    const last = await ask(form("/login", { email, password: "wrong-one" }, { "x-forwarded-for": "198.51.100.80" }));
    await expect.poll(() => traces().some(({ request }) => request === last.headers["x-request-id"])).toBe(true);
    expect(traces().filter(({ request }) => ids.includes(String(request)))).toMatchObject([
      { security: event, request: ids[0] },
      { security: event, request: ids[9], times: 10 },
    ]);
  });

  test("nobody else says what a request is called", async () => {
    const answer = await ask({ path: "/login", headers: { "x-request-id": "forged" } });
    expect(answer.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  });

  test("every answer names its request, also one that everybody shares and one that is refused", async () => {
    const paths = ["/about", "/about", "/", "/api/products", "/assets/none.js", "/%00"];
    const ids = [];
    for (const path of paths) ids.push((await ask({ path })).headers["x-request-id"]);
    expect(ids.filter((id) => !/^[\da-f-]{36}$/.test(String(id)))).toEqual([]);
    expect(new Set(ids).size).toBe(paths.length);
  });
});

describe("a database that is frozen or away", () => {
  const WITHIN = 2000; // ms
  const BUSY_MACHINE = 4000; // ms; without its watch of the database, the shop would answer after ten seconds
  const { body, signature } = signedWebhook("charge.success", { reference: "0".repeat(32) });
  const asked = (): Asked[] => {
    const mine = { cookie: cookies() };
    const account = { email: "ada@example.com", password: PASSWORD };
    return [
      ...["/shop?q=frozen", "/Cart", "/account", "/account.data", "/checkout", `/order/${reference}`, "/account/data"],
      ...["/api/me", "/api/cart", "/api/live", "/api/suggestions?q=x", `/api/payments/${reference}`, "/status"],
      ...["/singleProduct/frozen", "/api/products/frozen"],
    ]
      .map((path): Asked => ({ path, headers: mine }))
      .concat(
        form("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" }, mine),
        form("/checkout", LAGOS, mine),
        form("/account", { setting: "name", firstName: "Ada", lastName: "Obi" }, mine),
        form("/login", account),
        form("/register", { ...account, firstName: "A", lastName: "B", email: "frozen@example.com" }),
        form("/forgotPassword", account),
        form("/resetPassword", { oobCode: "x".repeat(32), password: PASSWORD }),
        form("/subscribe", { firstName: "A", email: "frozen@example.com" }),
        json({ intent: "price", items: [{ id: "rings-tee", selectedSize: "M", quantity: 1 }] }),
        json({ intent: "add", id: "rings-tee", size: "M", quantity: 1 }, mine),
        { method: "POST", path: "/webhooks/paystack", body, headers: { "x-paystack-signature": signature } },
      );
  };
  async function timed(one: Asked) {
    const began = performance.now();
    const { status, headers } = await ask(one);
    const isInTime = performance.now() - began < WITHIN + BUSY_MACHINE;
    return `${one.method ?? "GET"} ${one.path}: ${status}, ${headers["retry-after"] ? "Retry-After" : "without Retry-After"}, ${isInTime ? "in time" : performance.now() - began}`;
  }

  test("S61 a frozen one is answered with 503 within two seconds everywhere, kept pages go on, and all is well when it is back", async () => {
    for (const path of ["/", "/shop", "/about"]) expect((await ask({ path })).status).toBe(200);
    proxy.freeze();
    const expected = asked().map(({ method = "GET", path }) => `${method} ${path}: 503, Retry-After, in time`);
    expect(await Promise.all(asked().map(timed)), "at the moment when it freezes").toEqual(expected);
    expect(await Promise.all(asked().map(timed)), "while it is frozen").toEqual(expected);
    for (const path of ["/", "/shop", "/about", "/healthz", "/readyz"]) expect((await ask({ path })).status).toBe(200);
    const page = await ask({ path: "/account", headers: { cookie: cookies() } });
    expect(page.text).toContain(String(page.headers["x-request-id"]));
    expect((await ask({ path: "/api/products/frozen" })).text).toBe("Please try again in a moment.");
    proxy.thaw();
    await expect.poll(async () => (await customer.get("/api/cart")).status).toBe(200);
    expect((await customer.get(`/order/${reference}`)).status).toBe(200);
    expect((await customer.post("/Cart", { intent: "remove", id: "rings-tee", size: "M" })).status).toBe(303);
    await expect.poll(() => shop.said().match(/the database is away/g)).toHaveLength(1);
    expect(shop.said()).not.toContain("job queue");
  });

  test("so is one that refuses every connection", async () => {
    proxy.toxics.down = true;
    proxy.cut(1000, Math.random);
    const expected = asked().map(({ method = "GET", path }) => `${method} ${path}: 503, Retry-After, in time`);
    expect(await Promise.all(asked().map(timed))).toEqual(expected);
    proxy.toxics.down = false;
    await expect.poll(async () => (await ask({ path: "/status" })).status).toBe(200);
  });

  /** Opens another transaction in the shop's database with this statement. Its locks are released when it ends. */
  async function hold(statement: string): Promise<pg.Client> {
    const holder = new pg.Client({ connectionString: new URL(name, inject("postgresUrl")).href });
    await holder.connect();
    await holder.query(`begin; ${statement}`);
    return holder;
  }

  test("a row that somebody else holds for long is answered so too, and leaves a line", async () => {
    const holder = await hold("select from carts for update");
    const adding = { intent: "add", id: "rings-tee", size: "M", quantity: 1 };
    const asked = [
      form("/Cart", { ...adding, quantity: "1" }, { cookie: cookies() }),
      json(adding, { cookie: cookies() }),
    ];
    const answers = await Promise.all(asked.map(ask));
    await holder.end();
    expect(answers.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual(asked.map(() => [503, "2"]));
    await expect.poll(shop.said).toMatch(/a statement was given up/);
    expect((await customer.post("/Cart", { intent: "remove", id: "rings-tee", size: "M" })).status).toBe(303);
  });

  test("all who wait for the answer to one question get the same one when it was given up", async () => {
    const holder = await hold("lock table sessions in access exclusive mode");
    const looking = Array.from({ length: 6 }, () => ask({ path: "/account", headers: { cookie: cookies() } }));
    const answers = await Promise.all(looking);
    await holder.end();
    expect(answers.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual(
      looking.map(() => [503, "2"]),
    );
  });
});
