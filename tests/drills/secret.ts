import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { closeDb, openDb } from "#app/infra/database/db.server.ts";
import { chargedReferences, checkBooks, checkPromises, everythingSettled } from "#tests/chaos/books.ts";
import { seeded } from "#tests/chaos/random.ts";
import { countAnswers } from "#tests/machines/answers.ts";
import { keepForgettingLimits, type Sale, startBuyer } from "#tests/machines/buyers.ts";
import { untilAnswered } from "#tests/machines/processes.ts";
import { OLDER, PRODUCT, roll } from "#tests/support/fleet.ts";
import { endPayment, newCustomer, newVisitor, PASSWORD, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { paidAt } from "#tests/support/running-shop.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { type Sandbox, startSandbox } from "../../sandbox/main.ts";
import type { Drill } from "./drill.ts";
import { startTwoInstances } from "./two-instances.ts";

// Each secret is stolen and replaced on one instance after the other while shoppers buy. Its issuer refuses the old
// secret before any instance has the new one.

const PLENTY = 100_000;
/** The cookie of a guest's cart without script. */
const CART = "irepo.items";
const drawn = () => randomBytes(24).toString("hex");
const OLD = { session: drawn(), key: paidAt("").PAYSTACK_SECRET_KEY, google: drawn(), mail: drawn() };
const NEW = { session: drawn(), key: `sk_test_${drawn()}`, google: drawn(), mail: drawn() };

type Settings = Record<string, string>;

export async function playSecret(drill: Drill): Promise<void> {
  const { step, say, goal, afterwards } = drill;
  let mailPassword = OLD.mail;
  const { fleet, openId, mailUrl } = await step("two instances are open behind a balancer", () =>
    startShop(drill, () => mailPassword),
  );
  const { shop, sandbox, databaseUrl, settings } = fleet;
  const db = openDb({ url: databaseUrl, max: 3, name: "irepo drill" });
  afterwards(closeDb);
  const product = await makeProduct(db, { M: PLENTY });
  const wanted = () => ({ id: product, size: "M" });
  const sale: Sale = { shop, sandbox, chances: seeded(1), answers: countAnswers(), promises: [], wanted };
  let over = false;
  afterwards(() => (over = true));
  const give = async (what: string, changes: Settings) => {
    for (const instance of fleet.instances)
      await step(`an instance is started with ${what}`, () => roll(instance, OLDER, changes));
    Object.assign(settings, changes);
  };
  const customer = await newCustomer(shop, "ada@example.com");
  const guest = newVisitor(shop.url);
  const lostPieces: string[] = [];
  const buyers = [await startBuyer(sale, "bola"), await startBuyer(sale, "chi")];
  const isOver = () => over;
  const going = [
    keepAdding(guest, lostPieces, isOver),
    keepForgettingLimits(db, isOver),
    ...buyers.map((buyer) => buyer.buy(isOver)),
  ];
  const stolenCart = await untilAnswered(async () => guest.cookies.get(CART), "a guest's cart");

  await give("the new session secret as its fallback", { SESSION_FALLBACK_SECRET: NEW.session });
  await give("the new session secret, the old one its fallback", {
    SESSION_SECRET: NEW.session,
    SESSION_FALLBACK_SECRET: OLD.session,
  });
  await give("the new session secret alone", { SESSION_FALLBACK_SECRET: "" });
  const thief = newVisitor(shop.url);
  thief.cookies.set(CART, stolenCart);
  await add(thief);
  goal("what the old session secret has signed counts no more", piecesOf(thief) === 1);

  const payPage = await openPayment(customer);
  await step("the provider refuses the old key", () => switchTo(sandbox, { secretKey: NEW.key }));
  const reference = await endPayment(payPage, "success");
  await give("the provider's new key, the old one for webhooks", {
    PAYSTACK_SECRET_KEY: NEW.key,
    PAYSTACK_PREVIOUS_SECRET_KEY: OLD.key,
  });
  await give("the provider's new key alone", { PAYSTACK_PREVIOUS_SECRET_KEY: "" });
  await customer.get(`/checkout/return?reference=${reference}`);
  goal("a payment that was open comes to an order", await shows(customer, `/order/${reference}`, "What you bought"));
  goal("a webhook that the old key has signed is refused", (await webhookBy(OLD.key, shop.url)) === 401);

  const comer = newVisitor(shop.url);
  const back = await agree(await comer.post("/auth/google", { from: "login" }));
  await step("Google refuses the old secret", () => switchTo(openId, { openIdSecret: NEW.google }));
  await give("Google's new secret", { GOOGLE_CLIENT_SECRET: NEW.google });
  await comer.get(back);
  goal("a sign-in by Google that was begun ends signed in", await shows(comer, "/account", "ada.google@example.com"));

  mailPassword = NEW.mail;
  const person = { firstName: "Ada", lastName: "Obi", email: "dayo@example.com", password: PASSWORD };
  await newVisitor(shop.url).post("/register", person);
  await give("the mail server's new password", { SMTP_URL: mailUrl(NEW.mail) });
  await step("a mail that was refused meanwhile arrives", () => mailTo(shop.dataDir, person.email, /Verify/));

  goal("who was signed in still is", await shows(customer, "/account", "ada@example.com"));
  over = true;
  await Promise.all(going);
  goal("no piece was lost from a guest's cart without script", lostPieces.length === 0, `${piecesOf(guest)} in it`);
  for (const line of lostPieces) say(line);
  const { counts, odd } = sale.answers;
  const seen = `${counts.page} pages, ${counts.honest} times told to try again, ${counts.odd} others`;
  goal("no answer but pages and “try again in a moment”", odd.length === 0, seen);
  for (const line of new Set(odd)) say(line);
  await step("every payment has come to its end", () => everythingSettled(db, sandbox));
  const broken = [
    ...(await checkBooks(db, { product, units: PLENTY }, sandbox)),
    ...(await checkPromises(db, sale.promises)),
  ];
  for (const line of broken) say(JSON.stringify(line));
  const charged = `${chargedReferences(sandbox).length} charged, shoppers were told of ${sale.promises.length}`;
  const { code, said } = await shopCommand(settings, "check", "--provider");
  if (code !== 0) say(said);
  goal("no order is lost or doubled, and check --provider agrees", broken.length === 0 && code === 0, charged);
}

/** Starts two instances with the old secrets. The mail server requires the password that `mailPassword` returns. */
async function startShop(drill: Drill, mailPassword: () => string) {
  let begun: { openId: Sandbox; mailUrl: (password: string) => string } | undefined;
  const fleet = await startTwoInstances(drill, async ({ PUBLIC_URL, DATA_DIR = "" }) => {
    const redirectUris = [`${PUBLIC_URL}/auth/google/callback`];
    const openId = await startSandbox({ openIdClient: { id: "irepo", secret: OLD.google, redirectUris } });
    drill.afterwards(openId.close);
    const mails = await startMailServer(DATA_DIR, mailPassword);
    drill.afterwards(mails.stop);
    const mailUrl = (password: string) => mails.url.replace("//", `//irepo:${password}@`);
    begun = { openId, mailUrl };
    return {
      SESSION_SECRET: OLD.session,
      GOOGLE_CLIENT_ID: "irepo",
      GOOGLE_CLIENT_SECRET: OLD.google,
      GOOGLE_ISSUER: `${openId.url}/oidc`,
      SMTP_URL: mailUrl(OLD.mail),
      MAIL_FROM: "orders@shop.example",
    };
  });
  if (!begun) throw new Error("A fleet takes its settings before it starts");
  return { fleet, ...begun };
}

const add = (visitor: Visitor) => visitor.post("/Cart", { intent: "add", ...PRODUCT, quantity: "1" });

/** The number of pieces in the cart of a guest without script, read from the cookie. */
function piecesOf({ cookies }: Visitor): number {
  const [, packed = ""] = cookies.get(CART)?.split("~")[0]?.split(".") ?? [];
  const lines = packed ? JSON.parse(Buffer.from(packed, "base64url").toString()) : [];
  return lines[0]?.quantity ?? 0;
}

async function keepAdding(guest: Visitor, lost: string[], over: () => boolean): Promise<void> {
  while (!over()) {
    const before = piecesOf(guest);
    const { status } = await add(guest);
    if (piecesOf(guest) !== before + 1) lost.push(`${before} and 1 more are ${piecesOf(guest)} (${status})`);
    await pause(200);
  }
}

async function openPayment(customer: Visitor): Promise<string> {
  await add(customer);
  return (await pressPay(customer)).headers.get("location") ?? "";
}

/** Waits up to a minute for these words on a page, since calls to the provider are retried only after a while. */
function shows(visitor: Visitor, place: string, words: string): Promise<boolean> {
  const asking = async () => (await (await visitor.get(place)).text()).includes(words);
  return untilAnswered(asking, words).catch(() => false);
}

async function switchTo({ url }: Sandbox, secrets: Settings): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/__sandbox/switch`, { method: "POST", headers, body: JSON.stringify(secrets) });
}

async function webhookBy(key: string, url: string): Promise<number> {
  const body = JSON.stringify({ event: "charge.success", data: { reference: "stolen" } });
  const headers = { "x-paystack-signature": createHmac("sha512", key).update(body).digest("hex") };
  return (await fetch(`${url}/webhooks/paystack`, { method: "POST", headers, body })).status;
}

/**
 * Follows the shop's redirect to the OpenID provider and signs in there. Returns the address to which the provider
 * redirects.
 */
async function agree(begun: Response): Promise<string> {
  let at = begun.headers.get("location") ?? "";
  const { origin } = new URL(at);
  const visitor = newVisitor(origin);
  const person = { name: "Ada Obi", email: "ada.google@example.com" };
  while (at.startsWith(origin)) {
    const page = await visitor.get(at);
    const answer = page.status === 200 ? await visitor.post(at, person) : page;
    at = new URL(answer.headers.get("location") ?? "none:", at).href;
  }
  return at;
}
