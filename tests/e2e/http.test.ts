import { get, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as messages from "#app/messages.ts";
import { ask } from "#tests/support/ask-database.ts";
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
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";

let shop: RunningShop;
let customer: Visitor;

beforeAll(async () => {
  shop = await runShop({ HOLD_AT_MOST: "3" });
  customer = await newCustomer(shop, "ada@example.com");
});
afterAll(() => shop?.stop());

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

describe("a page is compressed as the browser accepts it", () => {
  const CHROMIUM = "gzip, deflate, br, zstd";
  test.each([
    ["/login", CHROMIUM, "zstd"],
    ["/login", "gzip, deflate, br", "br"],
    ["/login", "gzip, br;q=0, zstd;q=0.0", "gzip"],
    ["/login", "zstd;q=0.1, br;q=0.2, gzip", "gzip"],
    ["/login", "", "identity"],
    ["/about", CHROMIUM, "br"], // compressed once for many visitors, so as small as possible
    ["/about", "gzip", "gzip"],
    ["/about", "br;q=0.1, gzip", "gzip"],
    ["/about", "", "identity"],
  ])("%s for “%s” as %s", async (path, taken, encoding) => {
    const { headers, bytes } = await new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) =>
      get(shop.url + path, { headers: { "accept-encoding": taken } }, async (response) =>
        resolve({ headers: response.headers, bytes: await buffer(response) }),
      ).on("error", reject),
    );
    expect(headers["content-encoding"] ?? "identity").toBe(encoding);
    expect(Number(headers["content-length"])).toBe(bytes.length);
    expect(DECODERS[encoding]?.(bytes).toString()).toMatch(/<\/html>$/);
  });
});

describe("every route of the specification answers", () => {
  test.each([
    ["/", 200, "Shop Now"],
    ["/shop", 200, "SHOP"],
    ["/singleProduct/unity-home-jersey", 200, "Add to Cart"],
    ["/singleProduct/no-such-jersey", 404, "Product not found"],
    ["/Cart", 200, "CART"],
    ["/cart", 200, "CART"],
    ["/checkout", 200, "Hello, You need to log in to check out seamlessly"],
    ["/login", 200, "forgot password?"],
    ["/register", 200, "Create my account"],
    ["/forgotPassword", 200, "RETRIEVE PASSWORD"],
    ["/checkMail", 200, "Check your Mail"],
    ["/resetPassword?oobCode=x", 200, "RESET PASSWORD"],
    ["/verifyMail", 200, "Verfication Email sent"],
    ["/verification?oobCode=x", 200, "Verifying your email..."],
    ["/verification", 200, "Invalid verification link."],
    ["/signIn?oobCode=x", 200, "This link has already been used or has expired."],
    ["/signIn", 200, "Please log in."],
    ["/account", 200, "User not Logged in"],
    ["/about", 200, "unity and connection"],
    ["/returnpolicy", 200, "You can return items within 14 days of delivery"],
    ["/returnpolicy", 200, "You can exchange an item within 14 days of delivery"],
    ["/returnpolicy", 200, "Original shipping charges are non-refundable."],
    ["/returnpolicy", 200, "Final sale items and gift cards cannot be returned."],
    ["/shipping-policy", 200, "processed in 2-3 business days"],
    ["/shipping-policy", 200, "Within Nigeria: 3-7 business days"],
    ["/shipping-policy", 200, "International: 7-14 business days"],
    ["/shipping-policy", 200, "tracking may take up to 48 hours to update"],
    ["/privacy-policy", 200, "Effective 16 March 2025"],
    ["/parentcomp", 200, "Open cart"],
    ["/demo/mail", 200, "Demo mailbox"],
    ["/no-such-page", 404, "Page not found"],
  ])("%s with %i and “%s”", async (path, status, text) => {
    const response = await newVisitor(shop.url).get(path);
    expect(response.status).toBe(status);
    expect(plain(await response.text())).toContain(text);
    expect(response.headers.get("content-security-policy")).toMatch(/script-src 'self' 'sha256-/);
  });
});

describe("3 one cached page answers all addresses without a page", () => {
  const tagAndText = async (path: string, headers?: Record<string, string>) => {
    const answer = await newVisitor(shop.url).get(path, headers);
    return { status: answer.status, tag: answer.headers.get("etag"), text: await answer.text() };
  };

  test.each([
    ["/singleProduct/none-1", "/singleProduct/none-2", messages.product.notFound],
    ["/singleProduct/none-1.data", "/singleProduct/none-2.data", ""],
    ["/api/products/none-1", "/api/products/none-2", messages.product.notFound],
    ["/collections/none-1", "/collections/none-2?page=2", messages.collection.notFound],
    ["/collections/none-1", "/collections/NONE_1", messages.collection.notFound],
    ["/collections/none-1.data", "/collections/none-2.data?size=M", ""],
    ["/nothing", "/nor/here?q=1", "Page not found"],
    ["/nothing.data", "/nor/here.data", ""],
  ])("3 %s and %s", async (path, other, words) => {
    const [one, another] = [await tagAndText(path), await tagAndText(other)];
    expect(one.status).toBe(404);
    expect(one.tag).toMatch(/^"/);
    expect(one.text).toContain(words);
    expect(another).toEqual(one);
  });

  test("3 an existing product gets its own page, again after it was hidden, and so does any other page", async () => {
    expect((await tagAndText("/singleProduct/rings-tee")).status).toBe(200);
    await ask(ownerUrl(shop), "update products set hidden = true where id = 'rings-tee'");
    await expect.poll(async () => (await tagAndText("/singleProduct/rings-tee")).status).toBe(404);
    await ask(ownerUrl(shop), "update products set hidden = false where id = 'rings-tee'");
    await expect.poll(async () => (await tagAndText("/singleProduct/rings-tee")).status).toBe(200);
    for (const path of ["/%6cogin", "/LOGIN/", "/./login"]) expect((await tagAndText(path)).status).toBe(200);
  });

  test("24 a product's address in capitals redirects to the product, as a page and as a page's data", async () => {
    const page = await fetch(`${shop.url}/singleProduct/UNITY-HOME-JERSEY?size=M`, { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([302, "/singleProduct/unity-home-jersey?size=M"]);
    const answer = await fetch(`${shop.url}/singleProduct/UNITY-HOME-JERSEY.data`, { redirect: "manual" });
    expect([answer.status, await answer.text()]).toEqual([
      202,
      expect.stringContaining("/singleProduct/unity-home-jersey"),
    ]);
  });

  test("3 a signed-in shopper gets it uncached, with the number of their own cart", async () => {
    const answer = await customer.get("/nothing");
    expect([answer.status, answer.headers.get("etag")]).toEqual([404, null]);
  });

  test("3 a missing file is answered without a page", async () => {
    for (const path of ["/assets/none.js", "/favicon.ico", "/.well-known/nothing"]) {
      const { status, text } = await tagAndText(path);
      expect([path, status, text.length < 100]).toEqual([path, 404, true]);
    }
  });
});

test.each([
  ["/", ["home", "json-ld", "structured-data"]],
  ["/shop", ["list", "shop"]],
  ["/singleProduct/unity-home-jersey", ["json-ld", "parts", "product", "product", "size-picker", "structured-data"]],
  ["/about", ["about", "home", "text"]],
  ["/privacy-policy", ["privacy-policy", "text"]],
])("the script of %s is that of every page and its own", async (path, own) => {
  const everywhere = ["entry.client", "frame", "layout", "manifest", "react", "rolldown-runtime", "root", "router"];
  const html = await (await fetch(shop.url + path)).text();
  const names = [...html.matchAll(/\/assets\/([\w.-]+)-[\w-]{8}\.js"/g)].map(([, name = ""]) => name);
  expect([...new Set(names)].toSorted()).toEqual([...new Set([...everywhere, ...own])].toSorted());
});

describe("55 a returning browser fetches only what has changed", () => {
  test.each([
    "/fonts/archivo-latin.woff2",
    "/home/hero-green-phone-480.avif",
    "/places/tote-480.avif",
    "/icon-192.png",
    "/favicon.svg",
    "/manifest.webmanifest",
    "/sw.js",
    "/offline.html",
  ])("55 %s", async (path) => {
    const { headers } = await fetch(shop.url + path);
    for (const [name, version] of [
      ["if-none-match", "etag"],
      ["if-modified-since", "last-modified"],
    ] as const) {
      const again = await fetch(shop.url + path, { headers: { [name]: headers.get(version) ?? "" } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
    const whole = await fetch(shop.url + path, { headers: { range: "bytes=5-", "if-range": '"old"' } });
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([
      200,
      Number(headers.get("content-length")),
    ]);
  });
});

describe("56 HTTP as its standards say", () => {
  test.each([
    ["PUT", "/login", "GET, HEAD, OPTIONS, POST"],
    ["PATCH", "/Cart", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/account", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/shop", "GET, HEAD, OPTIONS"],
    ["POST", "/about", "GET, HEAD, OPTIONS"],
    ["POST", "/nothing", "GET, HEAD, OPTIONS"],
    ["POST", "/api/me", "GET, HEAD, OPTIONS"],
    ["GET", "/webhooks/paystack", "OPTIONS, POST"],
  ])("56 %s %s is refused, and the answer names what is taken: %s", async (method, path, allow) => {
    const answer = await fetch(shop.url + path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  });

  test("56 OPTIONS is answered by headers alone", async () => {
    const answer = await fetch(`${shop.url}/login`, { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([
      204,
      "GET, HEAD, OPTIONS, POST",
      "",
    ]);
  });

  test.each(["/", "/login", "/account", "/nothing"])("56 HEAD %s has the headers of GET", async (path) => {
    const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => fetch(shop.url + path, { method })));
    const told = (answer?: Response) =>
      ["content-security-policy", "content-type", "cache-control", "content-length", "vary", "etag"].map((name) =>
        answer?.headers.get(name),
      );
    expect([head?.status, ...told(head)]).toEqual([get?.status, ...told(get)]);
    expect(await head?.text()).toBe("");
  });

  test("a cache in front may not keep a page whose currency depends on the visitor's address", async () => {
    const headersOf = async (path: string) => {
      const { headers } = await fetch(shop.url + path);
      return [headers.get("cache-control"), headers.get("vary")];
    };
    expect(await headersOf("/shop")).toEqual(["private, max-age=0", "Cookie, Accept-Encoding"]);
    expect(await headersOf("/api/products")).toEqual(["public, max-age=0, s-maxage=1", "Accept-Encoding"]);
  });

  test("56 an absolute URL is accepted as the target, and two hosts are not", async () => {
    expect(await statusOf(`GET ${shop.url}/about HTTP/1.1\r\nHost: elsewhere.example`)).toBe("200");
    expect(await statusOf("GET http://elsewhere.example/about HTTP/1.1\r\nHost: localhost")).toBe("421");
    expect(await statusOf("GET /about HTTP/1.1\r\nHost: localhost\r\nHost: localhost")).toBe("400");
  });

  async function statusOf(head: string): Promise<string | undefined> {
    const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    return /^HTTP\/1\.1 (\d+)/.exec((await buffer(socket)).toString())?.[1];
  }

  test("56 security.txt says where to report a vulnerability, and when it expires", async () => {
    const answer = await fetch(`${shop.url}/.well-known/security.txt`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^Contact: mailto:\S+@\S+$/m);
    expect(Date.parse(/^Expires: (\S+)$/m.exec(text)?.[1] ?? "")).toBeGreaterThan(Date.now());
    expect(text).toContain(`Canonical: ${shop.url}/.well-known/security.txt`);
  });

  test("56 a password manager is redirected to where a password is changed", async () => {
    const { status, headers } = await fetch(`${shop.url}/.well-known/change-password`, { redirect: "manual" });
    expect([status, headers.get("location")]).toEqual([302, "/account#settings"]);
    expect(await (await customer.get("/account")).text()).toMatch(/id="settings"[\s\S]*New password/);
  });
});

describe("found by search engines", () => {
  const page = async (path: string) => (await newVisitor(shop.url).get(path)).text();

  test("a product names its canonical URL, its picture and an offer for each size", async () => {
    const html = await page("/SINGLEPRODUCT/unity-home-jersey");
    expect(html).toContain(`<link rel="canonical" href="${shop.url}/singleProduct/unity-home-jersey"/>`);
    expect(html).toMatch(
      /<meta property="og:image" content="http[^"]+\/link\/singleProduct\/unity-home-jersey\.jpg\?v=/,
    );
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
    const data = JSON.parse(json) as { name: string; hasVariant: { size: string; offers: Record<string, unknown> }[] };
    expect(data.hasVariant.map(({ size }) => size)).toEqual(["S", "M", "L", "XL", "XXL"]);
    expect(data.hasVariant[0]?.offers).toMatchObject({
      price: "49.99",
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
    });
  });

  test.each([
    ["/", "home"],
    ["/shop", "shop"],
    ["/about", "about"],
  ])("a link to %s is shown with a picture, which is there", async (path, name) => {
    const [, url = ""] = /<meta property="og:image" content="([^"]+)"\/>/.exec(await page(path)) ?? [];
    expect(url.split("?v=")).toEqual([`${shop.url}/link/${name}.jpg`, expect.stringMatching(/^[0-9a-f]{12}$/)]);
    const picture = await fetch(url);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  });

  test("the sitemap lists every product, and robots.txt the sitemap", async () => {
    const sitemap = await page("/sitemap.xml");
    const products = (await (await newVisitor(shop.url).get("/api/products")).json()) as { id: string }[];
    for (const { id } of products) expect(sitemap).toContain(`<loc>${shop.url}/singleProduct/${id}</loc>`);
    expect(await page("/robots.txt")).toContain(`Sitemap: ${shop.url}/sitemap.xml`);
  });

  test("llms.txt says what the shop sells, and leads to pages that are there", async () => {
    const text = await page("/llms.txt");
    expect(text).toMatch(/^# Irepo\n\n> Jerseys and streetwear from Nigeria, in sizes S to XXL\./);
    const pages = [...text.matchAll(/\]\((\S+)\)/g)]
      .map(([, url = ""]) => url)
      .filter((url) => !url.includes("/feeds/"));
    expect(pages.length).toBeGreaterThan(8);
    for (const url of pages) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  });

  test.each(["/login", "/account", "/Cart", "/checkout", "/no-such-page"])("%s stays out of search", async (path) => {
    expect(await page(path)).toContain('<meta name="robots" content="noindex"/>');
  });

  test("it can be installed", async () => {
    const manifest = JSON.parse(await page("/manifest.webmanifest")) as { icons: { src: string }[] };
    for (const { src } of manifest.icons) expect((await newVisitor(shop.url).get(src)).status).toBe(200);
  });
});

function plain(html: string): string {
  return html.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}

const register = { firstName: "Eze", lastName: "Ike", email: "eze@example.com", password: PASSWORD };

describe("bad input answers 400 with its message and changes nothing", () => {
  test.each<[string, string, Record<string, string>, string]>([
    ["subscribe without a name", "/subscribe", { firstName: "", email: "a@example.com" }, "Please fill in all fields."],
    ["subscribe without an address", "/subscribe", { firstName: "Ada" }, "Please fill in all fields."],
    ["subscribe with half an address", "/subscribe", { firstName: "Ada", email: "ada@" }, "valid email address"],
    ["register without a first name", "/register", { ...register, firstName: " " }, "Please enter your first name."],
    ["register without a last name", "/register", { ...register, lastName: "" }, "Please enter your last name."],
    ["register without an address", "/register", { ...register, email: "" }, "Please enter your email."],
    ["S50 register with two addresses", "/register", { ...register, email: "a@b.co,c@d.co" }, "valid email address"],
    [
      "S50 register with a header in the address",
      "/register",
      { ...register, email: "a@b.co\r\nBcc: c@d.co" },
      "valid email address",
    ],
    [
      "register with a short password",
      "/register",
      { ...register, password: "12345" },
      "Password should be at least 6 characters long",
    ],
    ["register with a known address", "/register", { ...register, email: "ADA@example.com" }, "Email already in use"],
    ["login without a password", "/login", { email: "ada@example.com" }, "Please enter your password."],
    [
      "login with a wrong password",
      "/login",
      { email: "ada@example.com", password: "wrong-one" },
      "Invalid email or password. Please try again.",
    ],
    [
      "login of nobody",
      "/login",
      { email: "nobody@example.com", password: "wrong-one" },
      "Invalid email or password. Please try again.",
    ],
    ["forgot without an address", "/forgotPassword", { email: "" }, "Please enter your email."],
    ["reset without a code", "/resetPassword", { password: PASSWORD }, "Invalid verification link."],
    [
      "reset with a made-up code",
      "/resetPassword",
      { oobCode: "made-up", password: PASSWORD },
      "Error resetting password. Please try again.",
    ],
    [
      "reset with a short password",
      "/resetPassword",
      { oobCode: "made-up", password: "123" },
      "Password should be at least 6 characters long",
    ],
    ["verification without a code", "/verification", {}, "Invalid verification link."],
    [
      "verification with a made-up code",
      "/verification",
      { oobCode: "made-up" },
      "Email verification failed. Please try again.",
    ],
    ["cart without an intent", "/Cart", { id: "unity-home-jersey", size: "M" }, "Please choose a product"],
    [
      "cart with a quantity of 0",
      "/Cart",
      { intent: "set", id: "unity-home-jersey", size: "M", quantity: "0" },
      "Please choose a product",
    ],
    [
      "cart with half a piece",
      "/Cart",
      { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1.5" },
      "Please choose a product",
    ],
    [
      "cart without a size",
      "/Cart",
      { intent: "add", id: "unity-home-jersey", quantity: "1" },
      "Please choose a size first.",
    ],
    [
      "cart with a product that is none",
      "/Cart",
      { intent: "add", id: "nothing", size: "M", quantity: "1" },
      "Product not found",
    ],
    [
      "cart with a sold-out size",
      "/Cart",
      { intent: "add", id: "unity-away-jersey", size: "XXL", quantity: "1" },
      "Cannot exceed available stock for this size",
    ],
    ["S45 checkout without a country", "/checkout", { ...LAGOS, country: "" }, "Please enter your country."],
    ["S45 checkout to nowhere", "/checkout", { ...LAGOS, country: "Atlantis" }, "Please enter your country."],
    [
      "checkout without a delivery type",
      "/checkout",
      { ...LAGOS, deliveryType: "" },
      "Please enter your delivery type.",
    ],
    ["S45 checkout without a state", "/checkout", { ...LAGOS, state: "" }, "Please enter your state."],
    ["checkout without an address", "/checkout", { ...LAGOS, address: "" }, "Please enter your address."],
    [
      "checkout with a short phone number",
      "/checkout",
      { ...LAGOS, phoneNumber: "0803" },
      "Please enter a valid phone number",
    ],
    [
      "S45 checkout with an unknown pick-up center",
      "/checkout",
      { ...LAGOS, deliveryType: "Pick-up", pickupCenter: "Moon" },
      "Please enter your pick-up center.",
    ],
  ])("%s", async (_, path, fields, message) => {
    await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "1" });
    const before = await state();
    const response = await customer.post(path, fields);
    expect(response.status).toBe(400);
    expect(plain(await response.text())).toContain(message);
    expect(await state()).toEqual(before);
    await customer.post("/Cart", { intent: "remove", id: "rings-tee", size: "S" });
  });

  /**
   * Everything that the shop has stored: carts, stock, accounts, orders. Of mails only their existence, since they are
   * being sent meanwhile.
   */
  async function state() {
    const database = ownerUrl(shop);
    const tables = await ask(
      database,
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'",
    );
    const rows = tables.map(
      ({ name }) => `select '${name}' as of, to_jsonb(t) ${name === "outbox" ? "-> 'id'" : ""} as row from ${name} t`,
    );
    return ask(database, `${rows.join(" union all ")} order by of, row`);
  }
});

/** Sets how the next payment goes. */
async function scenario(name: string): Promise<void> {
  const body = JSON.stringify({ name });
  const headers = { "content-type": "application/json" };
  expect((await fetch(`${shop.sandboxUrl}/__sandbox/scenario`, { method: "POST", headers, body })).status).toBe(200);
}

describe("limits and access", () => {
  test.each<[string, Record<string, string>, number]>([
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["another site, as the browser says", { "sec-fetch-site": "cross-site" }, 403],
  ])("a form from %s is refused", async (_, headers, status) => {
    const response = await customer.post(
      "/Cart",
      { intent: "add", id: "rings-tee", size: "M", quantity: "1" },
      headers,
    );
    expect(response.status).toBe(status);
  });

  test("a form from our own page is accepted", async () => {
    const response = await customer.post(
      "/Cart",
      { intent: "remove", id: "rings-tee", size: "M" },
      { origin: shop.url, "sec-fetch-site": "same-origin" },
    );
    expect(response.status).toBe(303);
  });

  test("a NUL is removed from a form, and refused in an API call", async () => {
    const nobody = newVisitor(shop.url);
    expect((await nobody.post("/login", { email: "\0nobody@example.com", password: PASSWORD })).status).toBe(400);
    expect((await customer.post("/Cart", { intent: "remove", id: "\0", size: "M" })).status).toBe(400);
    expect((await customer.post("/Cart", { intent: "remove", id: "rings-tee\0", size: "M" })).status).toBe(303);
    expect((await nobody.post("/subscribe", { firstName: "A\0da", email: "nul@example.com" })).status).toBe(303);
    const asked = await fetch(`${shop.url}/api/cart`, {
      method: "POST",
      body: JSON.stringify({ intent: "add", id: "rings-tee\0", size: "M", quantity: 1 }),
      headers: {
        "content-type": "application/json",
        cookie: [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
    });
    expect(asked.status).toBe(400);
  });

  test("S52 a body that is no form is refused", async () => {
    const response = await fetch(`${shop.url}/login`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "text/plain" },
    });
    expect(response.status).toBe(415);
  });

  test("S52 a body over the limit is refused", async () => {
    const response = await customer.post("/login", { email: "a".repeat(70_000), password: PASSWORD });
    expect(response.status).toBe(413);
  });

  test("1 a form of 9,000 fields is refused without a page, and its connection closes", async () => {
    const body = new URLSearchParams(Array.from({ length: 9000 }, (_, at) => [`f${at % 10}`, ""]));
    for (const path of ["/register", "/register.data", "/login", "/order/none/return"]) {
      const response = await customer.post(path, body as unknown as Record<string, string>);
      expect([path, response.status, response.headers.get("connection")]).toEqual([path, 413, "close"]);
      expect((await response.text()).length).toBeLessThan(2000);
    }
  });

  test("S52 a body over the limit is refused without a Content-Length, too", async () => {
    const response = await fetch(`${shop.url}/login`, {
      method: "POST",
      body: new Blob([`email=${"a".repeat(70_000)}`]).stream(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test.each(["/singleProduct/%00", "/api/products/%00", "/api/suggestions?q=%00", "/shop?q=a%00b", "/Cart?%00"])(
    "an address with a NUL is refused: %s",
    async (path) => {
      expect((await newVisitor(shop.url).get(path)).status).toBe(400);
    },
  );

  test.each(["", "127.0.0.1", "203.0.113.9"])(
    "S64 the metrics are at no address of the shop, whoever asks: “%s”",
    async (forwarded) => {
      const headers = { ...(forwarded && { "X-Forwarded-For": forwarded }), "X-Irepo-Client": "127.0.0.1" };
      const asked = await fetch(`${shop.url}/metrics`, { headers });
      expect(asked.status).toBe(404);
      expect(await asked.text()).not.toContain("irepo_payments_watched");
    },
  );

  test("the metrics have a port of their own, and nothing else does", async () => {
    await fetch(`${shop.url}/singleProduct/rings-tee`);
    const seen = await fetch(shop.metricsUrl);
    expect(seen.status).toBe(200);
    const text = await seen.text();
    expect(text).toMatch(/^irepo_payments_watched \d+$/m);
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{.*route="\/singleProduct\/:id",status="200".*\} [1-9]/m,
    );
    expect(text).not.toContain("rings-tee");
    for (const path of ["/", "/shop", "/healthz", "/metrics/"])
      expect((await fetch(new URL(path, shop.metricsUrl))).status).toBe(404);
  });

  test("the shop's internal headers have no effect in a visitor's request", async () => {
    const posted = await newVisitor(shop.url).post(
      "/login",
      { email: "nobody@example.com", password: "wrong password" },
      { "X-Irepo-Scripted": "1" },
    );
    expect(posted.headers.get("content-type")).toMatch("text/html");
  });

  test("S58 a webhook without the provider's signature is refused", async () => {
    const response = await fetch(`${shop.url}/webhooks/paystack`, {
      method: "POST",
      body: '{"event":"charge.success","data":{}}',
    });
    expect(response.status).toBe(401);
  });

  test("S38 another shopper's order does not exist", async () => {
    await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
    const started = await pressPay(customer);
    expect(started.status).toBe(303);
    const transactions = (await (await fetch(`${shop.sandboxUrl}/__sandbox/transactions`)).json()) as {
      reference: string;
    }[];
    const reference = transactions.at(-1)?.reference;
    const other = await newCustomer(shop, "other@example.com");
    expect((await other.get(`/order/${reference}`)).status).toBe(404);
    expect((await other.get(`/api/payments/${reference}`)).status).toBe(404);
    expect((await customer.get(`/order/${reference}`)).status).toBe(200);
  });

  test("whoever has ordered before, paid or not, finds the checkout filled in, and nobody else does", async () => {
    const street = "8 Marina Street";
    const shopper = await newCustomer(shop, "back@example.com");
    const stranger = await newCustomer(shop, "stranger@example.com");
    const takeTee = (visitor: Visitor) =>
      visitor.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "1" });
    const known = async (visitor: Visitor) => (await (await visitor.get("/api/delivery")).json()).known;
    const isFilled = async (visitor: Visitor) => (await (await visitor.get("/checkout")).text()).includes(street);
    await Promise.all([shopper, stranger].map(takeTee));
    expect(await isFilled(shopper)).toBe(false);

    const payPage = (await pressPay(shopper, { ...LAGOS, address: street })).headers.get("location") ?? "";
    expect([await isFilled(shopper), await isFilled(stranger)]).toEqual([true, false]);
    await endPayment(payPage, "decline");
    expect(await isFilled(shopper)).toBe(true);
    const reference = await endPayment(payPage, "close");
    expect((await shopper.post(`/api/payments/${reference}`, {})).status).toBe(200);
    expect([await isFilled(shopper), await isFilled(stranger)]).toEqual([true, false]);

    await endPayment(payPage, "success");
    await shopper.get(`/order/${reference}`);
    await takeTee(shopper);
    // The form of the next order begins with the address of the last one.
    expect([await isFilled(shopper), await isFilled(stranger)]).toEqual([true, false]);
    expect([await known(shopper), await known(stranger)]).toEqual(["home Lagos", null]);
  });

  test("what was sent after the session ended is filled in after the account's next login, and nobody else sees it", async () => {
    const [email, street] = ["typed@example.com", "9 Marina Street"];
    const [shopper, stranger] = [await newCustomer(shop, email), await newCustomer(shop, "types-not@example.com")];
    for (const one of [shopper, stranger])
      await one.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "1" });
    const read = async (visitor: Visitor, path: string) => (await visitor.get(path)).text();
    const [, formMark = ""] = /name="formMark" value="([^"]*)"/.exec(await read(shopper, "/checkout")) ?? [];
    await ask(ownerUrl(shop), `delete from sessions using users where users.id = user_id and email = '${email}'`);

    const posted = await shopper.post("/checkout", { ...LAGOS, address: street, formMark });
    expect([posted.status, posted.headers.get("location")]).toEqual([303, "/login?next=/checkout"]);
    const wrong = await shopper.post("/login", { email, password: "not the password", next: "/checkout" });
    for (const login of [await wrong.text(), await read(shopper, "/login?next=/checkout")]) {
      expect(login).toContain(messages.session.keepsTyped);
      expect(login).not.toContain(street);
    }
    expect(await read(newVisitor(shop.url), "/login?next=/checkout")).not.toContain(messages.session.keepsTyped);

    const back = await shopper.post("/login", { email, password: PASSWORD, next: "/checkout" });
    const page = await shopper.get(back.headers.get("location") ?? "");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(await page.text()).toContain(`value="${street}"`);
    for (const one of [shopper, stranger]) expect(await read(one, "/checkout")).not.toContain(street);
  });

  test("a shopper who has paid, and presses Pay again before the webhook, is redirected to the order", async () => {
    const payer = await newCustomer(shop, "paid-already@example.com");
    await payer.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "1" });
    await scenario("webhook_never");
    const payPage = (await pressPay(payer)).headers.get("location") ?? "";
    await endPayment(payPage, "success");
    // The shop looks at the earlier payment before it compares sums.
    const again = await payer.post("/checkout", { ...LAGOS, address: "2 Broad Street" });
    expect([again.status, again.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/order\//)]);
    expect(await (await payer.get(again.headers.get("location") ?? "")).text()).toContain("Order has been recorded");
  });

  test("an email address that the provider refuses is said beside its field", async () => {
    const refused = await newCustomer(shop, "refused@example.com");
    await refused.post("/Cart", { intent: "add", id: "rings-tee", size: "XL", quantity: "1" });
    await scenario("init_email_refused");
    const answer = await pressPay(refused);
    const page = await answer.text();
    const field = page.match(/<input[^>]*name="email"[^>]*>/)?.[0];
    expect([answer.status, page.includes(messages.form.emailRefused), field]).toEqual([
      400,
      true,
      expect.stringContaining('aria-invalid="true"'),
    ]);
    expect((await pressPay(refused)).status).toBe(303);
  });

  test.each([
    ["shows the sum with delivery, before anything can be charged", "first", "With delivery the total is ₦45,584."],
    ["F21 is asked again, at the new sum", "rate", "The total has changed to ₦48,433."],
    ["F21 is asked again where another place is chosen", "place", "The total has changed to"],
    ["F29 says that a large order is not put aside", "large", messages.order.unheld.stock],
  ])("Pay without script %s", async (_, what, said) => {
    const shopper = await newCustomer(shop, `sums-${what}@example.com`);
    await shopper.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: what === "large" ? "4" : "1" });
    const before = await transactions();
    let page = await shopper.post("/checkout", { ...LAGOS, intent: what === "first" ? "" : "update" });
    const form: Record<string, string> = { ...LAGOS, ...(what === "place" && { state: "Kano" }) };
    if (what !== "first") {
      expect(page.status).toBe(200);
      if (what === "rate") await setRate("1700");
      page = await shopper.post("/checkout", { ...form, ...(await shownOn(page)) });
    }
    const html = await page.clone().text();
    expect([page.status, plain(html).includes(said)]).toEqual([400, true]);
    expect(await transactions()).toBe(before);
    const opened = await shopper.post("/checkout", { ...form, ...(await shownOn(page)) });
    expect([opened.status, await transactions()]).toEqual([303, before + 1]);
    if (what === "rate") await setRate("1600");
  });

  async function transactions(): Promise<number> {
    return ((await (await fetch(`${shop.sandboxUrl}/__sandbox/transactions`)).json()) as unknown[]).length;
  }

  const setRate = (rate: string) => ownerSays(shop, "rate", "set", rate);

  test("F29 S47 Pay pressed by a machine: 429 after 30 tries, and the same for nobody else", async () => {
    const machine = await newCustomer(shop, "machine@example.com");
    await machine.post("/Cart", { intent: "add", id: "rings-tee", size: "L", quantity: "1" });
    const form = { ...LAGOS, ...(await shownOn(await machine.post("/checkout", LAGOS))) };
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await machine.post("/checkout", form)).status);
    expect([statuses.slice(0, 29).every((status) => status === 303), statuses.at(-1)]).toEqual([true, 429]);
    expect((await customer.post("/checkout", LAGOS)).status).not.toBe(429);
  });

  test("S47 subscribing again and again: 429 after 5 tries for one address, what was typed is kept, and others may", async () => {
    const [machine, other] = [newVisitor(shop.url), newVisitor(shop.url)];
    const form = { firstName: "Adaeze", email: "again@example.com" };
    for (let i = 0; i < 5; i++) expect((await machine.post("/subscribe", form)).status).toBe(303);
    const refused = await machine.post("/subscribe", form);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const page = await refused.text();
    for (const text of ["Too many tries.", 'value="Adaeze"', 'value="again@example.com"']) expect(page).toContain(text);
    expect((await other.post("/subscribe", { ...form, email: "first@example.com" })).status).toBe(303);
  });

  test("a cart's form sent by a machine: 429 after 240 in a minute, and the same for nobody else", async () => {
    const machine = await newCustomer(shop, "carts@example.com");
    const other = await newCustomer(shop, "no-machine@example.com");
    const form = { intent: "remove", id: "rings-tee", size: "M" };
    const statuses: number[] = [];
    for (let i = 0; i < 240; i++) statuses.push((await machine.post("/Cart", form)).status);
    expect(new Set(statuses)).toEqual(new Set([303]));
    const refused = await machine.post("/Cart", form);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(await refused.text()).toContain("Too many tries.");
    expect((await other.post("/Cart", form)).status).toBe(303);
  });

  test("what a guest adds without script is in the cart after the next login, also by way of a new account, once", async () => {
    const email = "adds-first@example.com";
    const guest = newVisitor(shop.url);
    for (const size of ["M", "M", "L"]) {
      const added = await guest.post("/Cart", { intent: "add", id: "rings-tee", size, quantity: "1" });
      expect([added.status, added.headers.get("location")]).toEqual([303, "/Cart"]);
    }
    await guest.post("/register", { firstName: "Ada", lastName: "Obi", email, password: PASSWORD });
    const { text } = await mailTo(shop.dataDir, email, /Verify/);
    await guest.post("/verification", { oobCode: new URL(linkIn(text, "oobCode=")).searchParams.get("oobCode") ?? "" });
    // The login is pressed twice, both times with the same pieces.
    const before = newVisitor(shop.url);
    for (const [name, value] of guest.cookies) before.cookies.set(name, value);
    for (const who of [guest, before, guest])
      expect((await who.post("/login", { email, password: PASSWORD })).status).toBe(303);
    const { lines } = await (await guest.get("/api/cart")).json();
    expect(lines.map(({ size, quantity }: { size: string; quantity: number }) => `${size} ${quantity}`).sort()).toEqual(
      ["L 1", "M 2"],
    );
  });

  test("S28 the session ends with the logout", async () => {
    const leaving = await newCustomer(shop, "leaving@example.com");
    const cookie = [...leaving.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect(await (await leaving.get("/api/me")).json()).toMatchObject({ user: { email: "leaving@example.com" } });
    expect((await leaving.post("/logout", {})).status).toBe(303);
    const again = await fetch(`${shop.url}/api/me`, { headers: { cookie } });
    expect(await again.json()).toMatchObject({ user: null });
  });

  test("S03 forgot answers the same for an unknown address, and mails only the known one", async () => {
    const [known, unknown] = await Promise.all(
      ["ada@example.com", "unknown@example.com"].map((email) =>
        newVisitor(shop.url).post("/forgotPassword", { email }),
      ),
    );
    expect([known?.status, known?.headers.get("location")]).toEqual([
      unknown?.status,
      unknown?.headers.get("location"),
    ]);
    expect((await mailTo(shop.dataDir, "ada@example.com", /password/)).text).toContain("/resetPassword?oobCode=");
    const jobs = "select state from jobs.job where name = 'send-link' and data ->> 'email' = 'unknown@example.com'";
    await expect.poll(() => ask(ownerUrl(shop), jobs)).toEqual([{ state: "completed" }]);
    expect(await ask(ownerUrl(shop), "select from outbox where recipient = 'unknown@example.com'")).toEqual([]);
  });
});
