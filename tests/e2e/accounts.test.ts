import { hash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { freePort } from "#tests/support/free-port.ts";
import { newCustomer, newVisitor, PASSWORD, type Visitor } from "#tests/support/http-visitor.ts";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";

/**
 * The points of the checklist for accounts, tested from outside. Those that can be seen only inside are tested in
 * app/account.
 */
let shop: RunningShop;

beforeAll(async () => {
  // The shop trusts a proxy on this machine, so that each test can have its own address.
  shop = await runShop({ TRUSTED_PROXIES: "127.0.0.0/8, ::1", LOG_LEVEL: "debug" });
});
afterAll(() => shop?.stop());

const from = (address: string) => ({ "x-forwarded-for": address });
const visitor = () => newVisitor(shop.url);
const person = (email: string) => ({ firstName: "Ada", lastName: "Obi", email, password: PASSWORD });
const drawn = (bytes: number) => randomBytes(bytes).toString("hex");
const codeOf = (link: string) => new URL(link).searchParams.get("oobCode") ?? "";

async function register(email: string): Promise<{ code: string; text: string; who: Visitor }> {
  const who = visitor();
  const answer = await who.post("/register", person(email), from("198.51.100.1"));
  expect(answer.status).toBe(303);
  const { text } = await mailTo(shop.dataDir, email, /Verify/);
  return { code: codeOf(linkIn(text, "oobCode=")), text, who };
}

/** Everything in an answer that its reader could tell apart, without the typed address. */
async function seen(response: Response, email: string) {
  const headers = [...response.headers]
    .filter(([name]) => !["date", "content-length", "x-request-id"].includes(name))
    .map((header) => header.join(": ").replaceAll(/'sha256-[^']+'/g, "…"))
    .map((header) => header.replace(/(irepo\.mailed)=[\w-]+/, "$1=…")); // the address that the sender typed
  return { status: response.status, headers, body: (await response.text()).replaceAll(email, "…") };
}

describe("telling nothing", () => {
  test("S01 an unknown address, a wrong password and an unverified account get the same answer, byte by byte", async () => {
    await newCustomer(shop, "known@example.com");
    await register("unproved@example.com");
    const [unknown, ...others] = await Promise.all(
      ["unknown@example.com", "known@example.com", "unproved@example.com"].map(async (email) =>
        seen(await visitor().post("/login", { email, password: "wrong-one" }), email),
      ),
    );
    expect(unknown?.status).toBe(400);
    for (const other of others) expect(other).toEqual(unknown);
  });

  /** Seconds of processor time that the shop has used so far. */
  async function processorTime(): Promise<number> {
    const metrics = await (await fetch(shop.metricsUrl)).text();
    return Number(/^process_cpu_seconds_total\{process="main"\} (\S+)/m.exec(metrics)?.[1]);
  }

  test("S02 an unknown address costs the shop as much work as a known one, which is what the time of the answer would tell", async () => {
    const logIn = async (emails: string[]) => {
      const before = await processorTime();
      for (const [index, email] of emails.entries()) {
        const { status } = await visitor().post("/login", { email, password: "wrong-one" }, from(`203.0.113.${index}`));
        expect(status).toBe(400);
      }
      return (await processorTime()) - before;
    };
    const [rounds, tries] = [4, 8]; // ten wrong passwords would block strangers' sign-ins
    const worked = { known: 0, unknown: 0 };
    for (let round = 0; round < rounds; round++) {
      const email = `work-${round}@example.com`;
      await register(email);
      worked.known += await logIn(Array(tries).fill(email));
      worked.unknown += await logIn(Array.from({ length: tries }, () => `${drawn(6)}@example.com`));
    }
    expect(worked.unknown / worked.known).toBeGreaterThan(0.6);
    expect(worked.unknown / worked.known).toBeLessThan(1.6);
  });

  test("S03 forgot answers the same for an unknown, an unverified, a known and a Google account's address", async () => {
    const google = "google-only@example.com";
    await ask(ownerUrl(shop), `insert into users (id, email, email_verified) values ('by-google', '${google}', true)`);
    await ask(
      ownerUrl(shop),
      "insert into accounts (user_id, account_id, provider_id) values ('by-google', 'g', 'google')",
    );
    const [unknown, ...others] = await Promise.all(
      ["unknown@example.com", "known@example.com", "unproved@example.com", google].map(async (email) =>
        seen(await visitor().post("/forgotPassword", { email }, from("198.51.100.3")), email),
      ),
    );
    expect(unknown?.status).toBe(303);
    for (const other of others) expect(other).toEqual(unknown);
  });

  test("S04 a known address is said as specified, verified or not, and after 5 in an hour nothing is said any more", async () => {
    const tries = [];
    for (let i = 0; i < 6; i++)
      tries.push(await visitor().post("/register", person("unproved@example.com"), from(`198.51.100.${10 + i}`)));
    const texts = await Promise.all(tries.map((answer) => answer.text()));
    // The registration itself was the first of the five.
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 400, 400, 429, 429]);
    expect(texts[0]).toContain("Email already in use");
    expect(texts[4]).not.toContain("Email already in use");
    expect(tries[4]?.headers.get("retry-after")).toMatch(/^\d+$/);
    const proved = await visitor().post("/register", person("KNOWN@example.com"), from("198.51.100.20"));
    expect(await proved.text()).toContain("Email already in use");
  });
});

describe("limits", () => {
  test("S05 S07 ten wrong passwords close the door to strangers, also after a restart, and never to the owner's own device", async () => {
    const email = "guarded@example.com";
    const owner = await newCustomer(shop, email);
    const wrong = (address: string) => visitor().post("/login", { email, password: "wrong-one" }, from(address));
    for (let i = 0; i < 10; i++) expect((await wrong(`203.0.113.${i}`)).status).toBe(400);
    expect((await wrong("203.0.113.99")).status).toBe(429);
    await shop.restart();
    expect((await visitor().post("/login", { email, password: PASSWORD }, from("203.0.113.98"))).status).toBe(429);
    await owner.post("/logout", {});
    expect((await owner.post("/login", { email, password: PASSWORD }, from("203.0.113.97"))).status).toBe(303);
  });

  test("S05 S07 the owner's own device has a bound of its own, however many ask at once, and shuts out nobody else", async () => {
    const email = "own-device@example.com";
    const owner = await newCustomer(shop, email);
    const logIn = (password: string) => owner.post("/login", { email, password }, from("203.0.113.50"));
    const guesses = await Promise.all(Array.from({ length: 100 }, () => logIn("wrong-one")));
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = await logIn(PASSWORD);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await visitor().post("/login", { email, password: PASSWORD }, from("203.0.113.51"))).status).toBe(303);
  });

  test("S07 nor does the right password, sent again and again, keep the shop busy", async () => {
    const email = "right-password@example.com";
    const owner = await newCustomer(shop, email);
    const logins: Response[] = [];
    for (let round = 0; round < 4; round++)
      logins.push(
        ...(await Promise.all(
          Array.from({ length: 10 }, () => owner.post("/login", { email, password: PASSWORD }, from("203.0.113.60"))),
        )),
      );
    // The device is known since the address was verified on it, so the first login counts, too.
    expect(logins.filter(({ status }) => status === 303)).toHaveLength(29);
    expect(logins.filter(({ status }) => status === 429)).toHaveLength(11);
  });

  test("S06 S47 what a visitor claims to be forwarded for makes no new bucket", async () => {
    const register = (forwarded: string, i: number) =>
      visitor().post("/register", { ...person(`many-${i}@example.com`), password: PASSWORD }, from(forwarded));
    const statuses = [];
    for (let i = 0; i < 30; i++) statuses.push((await register(`10.0.0.${i}, 192.0.2.66`, i)).status);
    expect(statuses).toEqual(Array(30).fill(303));
    // From then on the answer does not reveal whether an address is known. The same network, written as IPv6, gets the
    // same answer.
    const told = async (forwarded: string, i: number) => (await register(forwarded, i)).headers.get("location");
    expect(await told("10.0.0.99, 192.0.2.66", 0)).toBe("/verifyMail");
    expect(await told("10.0.0.98, 192.0.2.66", 30)).toBe("/verifyMail");
    expect(await told("::ffff:192.0.2.66", 1)).toBe("/verifyMail");
    expect((await register("192.0.2.67", 1)).status).toBe(400);
  });

  test("S70 5 after 60 wrong passwords from its network somebody honest logs in at once, without script", async () => {
    const email = "behind-a-carrier@example.com";
    await newCustomer(shop, email);
    const network = from("192.0.2.70");
    for (let i = 0; i < 60; i++) {
      const wrong = { email: `nobody-${i}@example.com`, password: "wrong-one" };
      expect((await visitor().post("/login", wrong, network)).status).toBe(400);
    }
    expect((await visitor().post("/login", { email, password: PASSWORD }, network)).status).toBe(303);
  });

  test("S70 5 while they go on coming, by the link of a mail, which the page offers where it was asked for", async () => {
    const email = "in-a-crowd@example.com";
    await newCustomer(shop, email);
    const network = from("192.0.2.71");
    await visitor().post("/login", { email: "nobody@example.com", password: "wrong-one" }, network);
    const bucket = hash("sha256", "wrong passwords from 192.0.2.71", "base64url");
    await ask(ownerUrl(shop), `update rate_limits set resets_at = now() + interval '1 day' where key = '${bucket}'`);
    const honest = visitor();
    const asked = await honest.post("/login", { email, password: PASSWORD }, network);
    expect([asked.status, await asked.text()]).toEqual([202, expect.stringContaining("a link to in-a-crowd@")]);
    const { text } = await mailTo(shop.dataDir, email, /Log in to Irepo/);
    const link = linkIn(text, "/signIn?oobCode=");
    expect(await (await visitor().get(link)).text()).toContain("in the browser where you typed your password");
    expect(await (await honest.get(link)).text()).toContain("Your password was right");
    const signed = await honest.post("/signIn", { oobCode: codeOf(link) }, network);
    expect([signed.status, signed.headers.get("location")]).toEqual([303, "/"]);
    expect(await (await honest.get("/account")).text()).toContain(email);
    expect(await (await honest.get(link)).text()).toContain("already been used");
  });

  test("S09 a password of 200 characters is taken whole, one of a megabyte refused at once", async () => {
    const email = "long@example.com";
    const password = `${"ẹ̀kọ́ 知 🙂 ".repeat(20).slice(0, 199)}z`;
    const who = visitor();
    await who.post("/register", { ...person(email), password }, from("198.51.100.40"));
    const { text } = await mailTo(shop.dataDir, email, /Verify/);
    await who.post("/verification", { oobCode: codeOf(linkIn(text, "oobCode=")) });
    expect((await visitor().post("/login", { email, password: password.slice(0, -1) })).status).toBe(400);
    expect((await visitor().post("/login", { email, password })).status).toBe(303);
    expect((await visitor().post("/login", { email, password: "x".repeat(1_000_000) })).status).toBe(413);
  });
});

describe("forms and links", () => {
  test.each([
    ["/login", ["email", "current-password"]],
    ["/register", ["given-name", "family-name", "email", "new-password"]],
    ["/forgotPassword", ["email"]],
    ["/resetPassword?oobCode=x", ["username", "new-password"]],
  ])("S11 a password manager knows its way on %s, and may paste", async (page, tokens) => {
    const main = (await (await visitor().get(page)).text()).match(/<main[\s\S]*<\/main>/)?.[0] ?? "";
    expect([...main.matchAll(/autocomplete="([^"]+)"/gi)].map(([, token]) => token)).toEqual(tokens);
    for (const [input] of main.matchAll(/<input[^>]*name="password"[^>]*>/g))
      expect(input).toContain('type="password"');
    expect(main).not.toMatch(/onpaste/i);
  });

  test("S13 S14 looking at a link uses nothing up; a verification code resets nothing, a reset code verifies nothing", async () => {
    const { code, who } = await register("scanned@example.com");
    for (let i = 0; i < 3; i++) expect((await visitor().get(`/verification?oobCode=${code}`)).status).toBe(200);
    const crossed = await visitor().post("/resetPassword", { oobCode: code, password: "another-one" });
    expect(crossed.status).toBe(400);
    expect((await visitor().post("/verification", { oobCode: code })).status).toBe(400);
    const verified = await who.post("/verification", { oobCode: code });
    expect(verified.status).toBe(303);
    const said = await visitor().get(verified.headers.get("location") ?? "");
    expect(await said.text()).toContain("Email verified successfully! You can now log in.");
    await visitor().post("/forgotPassword", { email: "scanned@example.com" }, from("198.51.100.50"));
    const { text } = await mailTo(shop.dataDir, "scanned@example.com", /new password/);
    const reset = codeOf(linkIn(text, "oobCode="));
    expect((await visitor().post("/verification", { oobCode: reset })).status).toBe(400);
    expect((await visitor().post("/resetPassword", { oobCode: reset, password: "another-one" })).status).toBe(303);
  });

  test("S15 a code's page sends no referrer, loads nothing foreign, and no log has the code", async () => {
    const email = "referred@example.com";
    const { code, who } = await register(email);
    await visitor().post("/forgotPassword", { email }, from("198.51.100.51"));
    const reset = codeOf(linkIn((await mailTo(shop.dataDir, email, /new password/)).text, "oobCode="));
    for (const place of [`/verification?oobCode=${code}`, `/resetPassword?oobCode=${reset}`]) {
      const page = await visitor().get(place);
      expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(page.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin|strict-origin)/);
      const urls = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
      expect(urls.length).toBeGreaterThan(10);
      const own = /^(?:\/(?![/\\])|#|mailto:|https:\/\/(?:www\.instagram|x)\.com\/|http:\/\/localhost:)/;
      expect(urls.filter((url) => !own.test(url))).toEqual([]);
    }
    await who.post("/verification", { oobCode: code });
    await visitor().post("/resetPassword", { oobCode: reset, password: PASSWORD });
    for (const one of [code, reset]) expect(shop.said()).not.toContain(one);
    expect(shop.said()).not.toContain(PASSWORD);
  });

  test("a link that was used says so when it is opened, with a form for a new one where that helps", async () => {
    const email = "opened-again@example.com";
    const { code, who } = await register(email);
    await who.post("/verification", { oobCode: code });
    const verification = await (await visitor().get(`/verification?oobCode=${code}`)).text();
    expect(verification).toContain("This link has already been used.");
    expect(verification).not.toContain("Verifying your email...");
    await visitor().post("/forgotPassword", { email }, from("198.51.100.55"));
    const { text } = await mailTo(shop.dataDir, email, /new password/);
    const link = linkIn(text, "oobCode=");
    expect(await (await visitor().get(`/resetPassword${new URL(link).search}`)).text()).toContain("RESET PASSWORD");
    await visitor().post("/resetPassword", { oobCode: codeOf(link), password: "another-one" });
    const reset = (await (await visitor().get(`/resetPassword${new URL(link).search}`)).text()).match(
      /<main[\s\S]*<\/main>/,
    )?.[0];
    expect(reset).toContain("This link has already been used. If that was you, you can log in with your new password");
    expect(reset).toMatch(/<form(?=[^>]*method="post")[^>]*action="\/forgotPassword"/);
    expect(reset).not.toContain("RESET PASSWORD");
    const made = await (await visitor().get("/verification")).text();
    expect(made).toMatch(/<form(?=[^>]*method="post")[^>]*action="\/login"[\s\S]*name="intent" value="resend"/);
  });

  test("S18 however an address is written, it is the one account", async () => {
    await newCustomer(shop, "case@example.com");
    for (const email of ["CASE@Example.COM", " case@example.com ", "case@example.com."])
      expect((await visitor().post("/login", { email, password: PASSWORD })).status).toBe(303);
  });

  test("who finds a stranger's account at the own address removes it by the mail's second link", async () => {
    const { text, code } = await register("owner@example.com");
    const link = linkIn(text, "disown");
    expect(await (await visitor().get(new URL(link).pathname + new URL(link).search)).text()).toContain(
      "Remove the account",
    );
    const removed = await visitor().post("/verification", { oobCode: code, disown: "yes" });
    expect(removed.status).toBe(303);
    expect(await (await visitor().get(removed.headers.get("location") ?? "")).text()).toContain(
      "We’ve removed the account.",
    );
    expect((await visitor().post("/verification", { oobCode: code })).status).toBe(400);
    expect((await visitor().post("/register", person("owner@example.com"), from("198.51.100.60"))).status).toBe(303);
  });
});

describe("sessions", () => {
  const me = async (who: Visitor) => ((await (await who.get("/api/me")).json()) as { user: unknown }).user;

  test("S27 each sign-in makes a new id, and a planted one is nobody's", async () => {
    await newCustomer(shop, "fixed@example.com");
    const victim = visitor();
    victim.cookies.set("irepo.session", "planted-by-a-stranger");
    expect(await me(victim)).toBeNull();
    await victim.post("/login", { email: "fixed@example.com", password: PASSWORD });
    expect(victim.cookies.get("irepo.session")).not.toBe("planted-by-a-stranger");
    expect(victim.cookies.get("irepo.session")).toMatch(/^[\w-]{43}$/);
    expect(await me(victim)).toMatchObject({ email: "fixed@example.com" });
  });

  test.each([
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["another site, as the browser says", { "sec-fetch-site": "cross-site" }, 403],
    ["a script that calls it text", { "content-type": "text/plain" }, 415],
  ])("S30 a login sent by %s is refused", async (_, headers, status) => {
    const { status: answered } = await visitor().post(
      "/login",
      { email: "a@example.com", password: PASSWORD },
      headers as Record<string, string>,
    );
    expect(answered).toBe(status);
  });

  test("S30 nothing changes by GET", async () => {
    const who = await newCustomer(shop, "get@example.com");
    for (const page of ["/logout", "/Cart?intent=add&id=rings-tee&size=M&quantity=1", "/account?setting=delete"])
      await who.get(page);
    expect(await me(who)).toMatchObject({ email: "get@example.com" });
    expect(await (await who.get("/api/cart")).json()).toMatchObject({ lines: [] });
  });

  test("S31 another site reads nothing and hears no stream", async () => {
    const who = await newCustomer(shop, "cors@example.com");
    for (const page of ["/api/me", "/api/cart", "/api/products", "/account"]) {
      const answer = await who.get(page, { origin: "https://evil.example" });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    expect((await who.get("/api/live", { origin: "https://evil.example" })).status).toBe(403);
    const asked = await fetch(`${shop.url}/login`, { method: "OPTIONS", headers: { origin: "https://evil.example" } });
    expect(asked.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("S32 logging out ends the session, and leaves what belongs to no account", async () => {
    const who = await newCustomer(shop, "leaving@example.com");
    const answer = await who.post("/logout", {});
    expect(answer.headers.get("clear-site-data")).toBeNull();
    expect(who.cookies.has("irepo.session")).toBe(false);
  });
});

test("F32: of 10 logins at once with the same guest cart one adds it", async () => {
  const who = await newCustomer(shop, "merging@example.com");
  const guestCart = JSON.stringify([{ id: "rings-tee", selectedSize: "M", quantity: 1 }]);
  const fields = { email: "merging@example.com", password: PASSWORD, guestCart, mergeId: crypto.randomUUID() };
  const answers = await Promise.all(Array.from({ length: 10 }, () => visitor().post("/login", fields)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
  expect(await (await who.get("/api/cart")).json()).toMatchObject({ lines: [{ id: "rings-tee", quantity: 1 }] });
});

describe("in production", () => {
  const OFFICE = "https://office.shop.example";
  let real: RunningShop;
  let officePort: string;
  beforeAll(async () => {
    officePort = String(await freePort());
    real = await runShop({
      OFFICE_PORT: officePort,
      OFFICE_URL: OFFICE,
      PUBLIC_URL: "https://shop.example",
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "Irepo <orders@shop.example>",
      SESSION_SECRET: drawn(32),
      PAYSTACK_SECRET_KEY: `sk_live_${drawn(20)}`,
      PAYSTACK_PUBLIC_KEY: `pk_live_${drawn(20)}`,
      PAYSTACK_API_URL: "https://127.0.0.1:9",
      CONTACT_EMAIL: "help@shop.example",
      X_URL: "https://x.example/irepo",
    });
  });
  afterAll(() => real?.stop());

  test.each(["/demo/mail", "/__sandbox/transactions", "/oidc/.well-known/openid-configuration"])(
    "S19 there is no %s",
    async (page) => {
      expect((await newVisitor(real.url).get(page)).status).toBe(404);
    },
  );

  test("S19 neither sandbox nor Google's stand-in runs, and nothing of the demo is shown", async () => {
    await expect(fetch(real.sandboxUrl)).rejects.toThrow();
    const html = await (await newVisitor(real.url).get("/login")).text();
    expect(html).not.toMatch(/Demo shop|Sign in with Google/);
    expect((await newVisitor(real.url).post("/auth/google", { from: "login" })).status).toBe(404);
  });

  test("the start warns of each rate that is missing, in a line of its own", async () => {
    await expect.poll(real.said).toMatch(/^Warning: there is no delivery rate, .*shipping import FILE.json$/m);
    await expect.poll(real.said).toMatch(/^Warning: there is no exchange rate, and \$1 counts as ₦1600: .*$/m);
  });

  test("contact and social links are the owner's, on every page that has some, and nobody else's", async () => {
    const visitor = newVisitor(real.url);
    for (const page of ["/", "/returnpolicy", "/privacy-policy", "/nowhere"]) {
      const html = await (await visitor.get(page)).text();
      const links = [...html.matchAll(/href="((?:mailto:|https:\/\/(?!shop\.example))[^"]*)"/g)].map(([, url]) => url);
      expect(new Set(links), page).toEqual(new Set(["mailto:help@shop.example", "https://x.example/irepo"]));
    }
  });

  test("an empty shop stays empty, and its pages hold without a product, a delivery rate and a rate", async () => {
    const visitor = newVisitor(real.url);
    const pages = ["/", "/shop", "/Cart", "/checkout", "/shipping-policy", "/sitemap.xml"];
    for (const page of pages) {
      const answer = await visitor.get(page);
      expect(answer.status, page).toBe(200);
      expect((await answer.text()).match(/singleProduct\/[a-z-]+|Ikeja City Mall/)?.[0], page).toBeUndefined();
    }
    expect(await (await visitor.get("/api/products")).json()).toEqual([]);
    expect(real.said()).not.toMatch(/"level":(?:40|50)/);
  });

  test.each([
    ["without script", "/subscribe", 303],
    ["with script", "/subscribe.data", 200],
  ])("S30 behind a proxy that ends TLS our own page's form is taken, %s", async (_, page, status) => {
    const form = { firstName: "Ada", email: "ada@example.com" };
    const own = { origin: "https://shop.example", "sec-fetch-site": "same-origin" };
    expect((await newVisitor(real.url).post(page, form, own)).status).toBe(status);
  });

  test("S26 cookies are bound to this host and to https", async () => {
    const answer = await newVisitor(real.url).post("/logout", {});
    expect(answer.headers.getSetCookie()).toContain(
      "__Host-irepo.session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
    );
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/^__Host-.*; Secure$/);
  });

  test("S19 nobody signs in to the office by the demo's one press", async () => {
    await expect.poll(() => real.said()).toContain(`Back office: ${OFFICE}`);
    const office = newVisitor(`http://localhost:${officePort}`);
    expect(await (await office.get("/sign-in")).text()).not.toContain("demo");
    const pressed = await office.post("/sign-in", { intent: "demo" }, { origin: OFFICE });
    expect([pressed.status, office.cookies.size]).toEqual([404, 0]);
  });
});

describe("settings", () => {
  const post = (who: Visitor, setting: string, fields: Record<string, string> = {}) =>
    who.post("/account", { setting, ...fields });
  const page = async (who: Visitor) => (await who.get("/account")).text();

  test("name, newsletter and data: what is changed is there, and everything can be taken along", async () => {
    const who = await newCustomer(shop, "changing@example.com");
    await who.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "2" });
    expect((await post(who, "name", { firstName: "Ngozi", lastName: "" })).status).toBe(400);
    expect((await post(who, "name", { firstName: "Ngozi", lastName: "Eze" })).status).toBe(303);
    expect(await page(who)).toContain("Welcome, Ngozi");
    expect((await post(who, "newsletter", { newsletter: "yes" })).status).toBe(303);
    expect(await page(who)).toMatch(/<input[^>]*name="newsletter"[^>]*checked/);
    const data = await who.get("/account/data");
    expect(data.headers.get("content-disposition")).toContain("attachment");
    expect(await data.json()).toMatchObject({
      email: "changing@example.com",
      firstName: "Ngozi",
      verified: true,
      cart: [{ id: "rings-tee", selectedSize: "M", quantity: 2, price: expect.any(Number) }],
      sales: [],
    });
    expect((await visitor().get("/account/data")).status).toBe(303);
  });

  test("a new password needs the old one, ends the other sessions and tells the owner", async () => {
    const who = await newCustomer(shop, "renewing@example.com");
    const other = visitor();
    await other.post("/login", { email: "renewing@example.com", password: PASSWORD });
    const refused = await post(who, "password", { current: "wrong-one", password: "another-one" });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("That’s not your password.")]);
    expect((await post(who, "password", { current: PASSWORD, password: "12345" })).status).toBe(400);
    expect((await post(who, "password", { current: PASSWORD, password: "another-one" })).status).toBe(303);
    expect(await page(other)).toContain("User not Logged in");
    expect(await page(who)).toContain("Welcome,");
    await mailTo(shop.dataDir, "renewing@example.com", /password was changed/);
    expect((await visitor().post("/login", { email: "renewing@example.com", password: "another-one" })).status).toBe(
      303,
    );
  });

  test("other sessions are seen and ended, one or all; a stranger's id ends nothing", async () => {
    const who = await newCustomer(shop, "many@example.com");
    const others = [visitor(), visitor(), visitor()];
    for (const other of others)
      await other.post(
        "/login",
        { email: "many@example.com", password: PASSWORD },
        { "user-agent": "Mozilla/5.0 (Linux; Android 14) Chrome/140" },
      );
    const html = await page(who);
    expect(html).toContain("Chrome on Android");
    const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const stranger = await newCustomer(shop, "stranger@example.com");
    await post(stranger, "sessions", { id });
    const alive = async () => (await Promise.all(others.map(page))).filter((text) => text.includes("Welcome,")).length;
    expect(await alive()).toBe(3);
    const ended = await post(who, "sessions", { id });
    expect([ended.status, await ended.text()]).toEqual([303, ""]);
    expect(await alive()).toBe(2);
    const all = await post(who, "sessions");
    expect(await alive()).toBe(0);
    expect(await (await who.get(all.headers.get("location") ?? "")).text()).toContain("Signed out on that device.");
    expect(await page(who)).toContain("Welcome,");
  });

  test("a deleted account is gone: its session, its password, its address for a new one", async () => {
    const email = "going@example.com";
    const who = await newCustomer(shop, email);
    expect((await post(who, "delete", { current: "wrong-one" })).status).toBe(400);
    const gone = await post(who, "delete", { current: PASSWORD });
    expect([gone.status, gone.headers.get("location"), gone.headers.get("clear-site-data")]).toEqual([
      303,
      "/",
      '"storage"',
    ]);
    expect(await page(who)).toContain("User not Logged in");
    expect((await visitor().post("/login", { email, password: PASSWORD })).status).toBe(400);
    expect((await visitor().post("/register", person(email), from("198.51.100.70"))).status).toBe(303);
  });
});
