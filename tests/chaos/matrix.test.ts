import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { closeDb, type Db, openDb } from "#app/infra/database/db.server.ts";
import { closeQueue, enqueue, openQueue } from "#app/infra/database/queue.server.ts";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { ask } from "#tests/support/ask-database.ts";
import { command } from "#tests/support/command.ts";
import {
  endPayment,
  newCustomer,
  newVisitor,
  PASSWORD,
  pressPay as payAtOnce,
  type Visitor,
} from "#tests/support/http-visitor.ts";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { useOpenIdProvider } from "#tests/support/open-id-provider.ts";
import { arrived } from "#tests/support/returns.ts";
import { share } from "#tests/support/share.ts";
import { BUSY, Otherwise } from "./matrix/answers.ts";
import { drawn, type Journey, type Made, type Materials, PRODUCT, SOLD_OUT, type World } from "./matrix/doing.ts";
import { ANOTHERS, allFaults, DEPENDENCIES, type Dependency, type Fault, KINDS, type Kind } from "./matrix/faults.ts";
import { OWNER, PRODUCT_FORM } from "./matrix/owner.ts";
import { pressPay, SHOPPER } from "./matrix/shopper.ts";
import { type Surroundings, startSurroundings } from "./matrix/world.ts";

// docs/reliability.md has a table of what people get while something that the shop needs is dead, answers falsely or is
// slow. The table is read here, and each cell is tried. MATRIX=all also tries what takes long, and every false answer.

const isWhole = process.env.MATRIX === "all";

const JOURNEYS: Record<string, Journey> = { ...SHOPPER, ...OWNER };
const OUTCOMES = ["works", "503", "says so", "waits"];
const [head = [], ...lines] = (readFileSync("docs/reliability.md", "utf8").split("## Each dependency away")[1] ?? "")
  .split("\n## ", 1)
  .flatMap((text) => text.split("\n"))
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map((cells) => cells.slice(1, -1));

const TIME = "longest answer, in seconds";
const rows = lines.filter(([name]) => name !== TIME);
/** The longest that anybody waits who needs this dependency while it is away, in ms. */
const withinOf = (on: Dependency) => Number(lines.find(([name]) => name === TIME)?.[head.indexOf(on)]) * SECOND;
const USUAL = 2 * SECOND;

/** The outcome that a cell like `works; dead: 503` names for one kind of fault. */
function expected(journey: string, { on, kind }: { on: Dependency; kind: Kind }): string {
  const cell = rows.find(([name]) => name === journey)?.[head.indexOf(on)] ?? "";
  const [usual = "", ...others] = cell.split("; ");
  const other = others.find((one) => one.startsWith(`${kind}: `));
  return other?.slice(kind.length + 2) ?? usual;
}

/**
 * The longest that a journey may take, in ms. A journey that needs none of the failed dependencies takes no longer than
 * usual.
 */
function longestOf(journey: string, faults: Fault[]): number {
  const needed = faults.filter((fault) => expected(journey, fault) !== "works");
  return Math.max(USUAL, ...needed.map(({ on }) => withinOf(on)));
}

/**
 * The outcome with several faults at once: each journey needs at most one of the dependencies. A refund does not suffer
 * when only the sums of charges are wrong; and for charges that are settled, no sum is requested again.
 */
function expectedOf(journey: string, faults: Fault[]): string {
  const isOfOthers = journey === REVIEW || expected(journey, { on: "provider", kind: "dead" }) === "waits";
  if (isOfOthers && faults.some(isAboutCharges)) return "works";
  return faults.map((fault) => expected(journey, fault)).find((outcome) => outcome !== "works") ?? "works";
}

const isAboutCharges = ({ name }: Fault) => name === "a kobo less";
/**
 * With this command, the shop learns of a charge that it does not know. The charge stays on record until a person has
 * looked into it, and `check` reports it as well.
 */
const REVIEW = "command: check --provider";
const isAboutOthers = ({ on, name }: Fault) => on === "provider" && name === "another's data";

describe("the table", () => {
  test("has a row for each journey, and a column for each dependency", () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(JOURNEYS));
    expect(head.slice(1)).toEqual([...DEPENDENCIES]);
    expect(DEPENDENCIES.filter((on) => !(withinOf(on) > 0))).toEqual([]);
  });

  test.each(rows)("%s: its cells say what may come of it", (journey) => {
    const said = DEPENDENCIES.flatMap((on) => KINDS.map((kind) => expected(journey, { on, kind })));
    expect(said.filter((outcome) => !OUTCOMES.includes(outcome))).toEqual([]);
  });
});

const openId = useOpenIdProvider();
let around: Surroundings;
let world: World;
let materials: Materials;
let db: Db;

beforeAll(async () => {
  around = await startSurroundings(inject("postgresUrl"), openId);
  const { shop, office, settings, databaseUrl, sandboxUrl } = around;
  env.paystack.apiUrl = sandboxUrl;
  db = openDb({ url: databaseUrl, max: 4, name: "matrix" });
  await openQueue(databaseUrl, { name: "matrix jobs" });
  const query = (text: string) => ask(databaseUrl, text);
  await query("update product_sizes set supplied = 100000 where product_id = 'rings-tee'");
  await query(`update product_sizes set supplied = sold where product_id = 'rings-tee' and size = '${SOLD_OUT.size}'`);
  const customers = ["ada", "bola", "chi"].map((name) => newCustomer(shop, `${name}@example.com`));
  const [visitor, payer, paying] = (await Promise.all(customers)) as [Visitor, Visitor, Visitor];
  const delivered = await buy(visitor, MOST);
  await query("update sales set fulfilled_at = now(), delivered_at = now()");
  await putInCart(visitor);
  const owner = newVisitor(office);
  await owner.post("/sign-in", { intent: "demo" }, { origin: office });
  // A sign-in counts as new for minutes only; this one has to stay new.
  await query("update staff_sessions set created_at = now() + interval '1 hour'");
  const made = await owner.post(
    "/products/new",
    { ...PRODUCT_FORM, intent: "add", images: "[]", key: crypto.randomUUID() },
    { origin: office },
  );
  const product = /products\/([\w-]+)/.exec(made.headers.get("location") ?? "")?.[1] ?? "";
  const [picture] = await query("select images -> 0 ->> 'hash' as hash from products where id = 'rings-tee'");
  const regular = { visitor, email: "ada@example.com", delivered };
  const agreed = (url: string) => openId.agreed(url);
  world = { shop, office, settings, regular, owner, ask: query, agreed, product, picture: String(picture?.hash) };
  await Promise.all([putInCart(payer), putInCart(paying)]);
  materials = {
    ...{ code: "", sold: "", unsent: "", unwanted: "", asked: "", received: "", exchange: "" },
    approved: await approvedReturn(visitor, delivered, FOR_MONEY),
    ...{ payer, leaver: visitor, signedIn: visitor, paying: await openPayment(paying) },
  };
  await answerReturn(materials.approved, { intent: "receive" });
  const begun = newMade();
  await play(["register", "return request"], begun);
  materials = await nextMaterials(begun, await pressPay({ materials, clock: { slowest: 0 } }));
}, 3 * MINUTE);
afterAll(async () => {
  await closeQueue();
  await closeDb();
  await around?.stop();
});

/** The most pieces that are reserved for one order. */
const MOST = 50;
const newMade = (): Made => ({ newcomer: "", bought: "", asked: "" });

function putInCart(visitor: Visitor, quantity = 1): Promise<Response> {
  return visitor.post("/Cart", { intent: "add", ...PRODUCT, quantity: String(quantity) });
}

async function openPayment(visitor: Visitor): Promise<Materials["paying"]> {
  const payPage = (await payAtOnce(visitor)).headers.get("location") ?? "";
  const [row] = await ask(around.databaseUrl, `select reference from payments where authorization_url = '${payPage}'`);
  return { visitor, payPage, reference: String(row?.reference) };
}

/** Buys so many pieces. Returns the reference of the paid order. */
async function buy(visitor: Visitor, quantity: number): Promise<string> {
  await putInCart(visitor, quantity);
  const { reference, payPage } = await openPayment(visitor);
  await endPayment(payPage, "success");
  await until("an order", () => isRecorded(visitor, reference));
  return reference;
}

/** Buys one piece, which arrives. Returns the order's reference. */
async function buyAndGet(visitor: Visitor): Promise<string> {
  const reference = await buy(visitor, 1);
  await arrived(db, reference);
  return reference;
}

async function numberOf(reference: string): Promise<string> {
  const [row] = await ask(
    around.databaseUrl,
    `select number from orders join payments on order_id = orders.id where reference = '${reference}'`,
  );
  return String(row?.number);
}

type Played = { outcome: string; slowest: number; result: unknown };

/**
 * Journeys run side by side, so that slow ones are slow at the same time; but not so many that they wait for each
 * other.
 */
const AT_ONCE = 6;
const TRIES = 3;
/** The longest that Retry-After names, in ms. */
const RETRY_AFTER = 5 * SECOND;

async function playAll(names: string[], made: Made): Promise<Record<string, Played>> {
  await world.ask("delete from rate_limits");
  const left = names.values();
  const played: Record<string, Played> = {};
  const playInTurn = async () => {
    for (const name of left) played[name] = await playOne(name, made);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playInTurn));
  return played;
}

/**
 * Plays the journeys. A busy machine may refuse any, as all come from one network, or those that need none of the
 * failed dependencies: these are repeated after the longest time that Retry-After names.
 */
async function play(names: string[], made: Made, faults: Fault[] = []): Promise<Record<string, Played>> {
  const isLast = (name: string) => name === REVIEW && faults.some(isAboutOthers);
  const played = await playAll(
    names.filter((name) => !isLast(name)),
    made,
  );
  Object.assign(played, await playAll(names.filter(isLast), made));
  for (let tries = 1; tries < TRIES; tries++) {
    const putOff = names.filter((name) => {
      const outcome = played[name]?.outcome;
      return outcome === BUSY || (outcome === "503" && expectedOf(name, faults) === "works");
    });
    if (putOff.length === 0) break;
    await pause(RETRY_AFTER);
    Object.assign(played, await playAll(putOff, made));
  }
  return played;
}

async function playOne(name: string, made: Made): Promise<Played> {
  const clock = { slowest: 0 };
  try {
    const result = await JOURNEYS[name]?.({ ...world, materials, made, clock });
    return { outcome: "works", slowest: clock.slowest, result };
  } catch (error) {
    const outcome = error instanceof Otherwise ? error.outcome : `failed: ${error}`;
    return { outcome, slowest: clock.slowest, result: undefined };
  }
}

/** For journeys with an effect that follows later by itself: whether the effect is there. */
const FOLLOWS: Record<string, (made: Made) => Promise<boolean>> = {
  register: async ({ newcomer }) => (await areMailsOut()) && hasMail(newcomer),
  "forgotten password": areMailsOut,
  "back-in-stock alert": areMailsOut,
  "office: parcel sent": areMailsOut,
  "office: return exchanged": areMailsOut,
  "office: invitation": areMailsOut,
  "office: refund": isMoneyBack,
  "office: return refunded": isMoneyBack,
  "office: order cancelled": isMoneyBack,
  "command: orders refund": isMoneyBack,
};

async function isMoneyBack(): Promise<boolean> {
  return (await world.ask("select from refunds where provider_id is null")).length === 0;
}

async function areMailsOut(): Promise<boolean> {
  const waiting = await world.ask(
    `select from outbox where state = 'queued' union all
     select from jobs.job where name = 'send-link' and state in ('created', 'retry', 'active')`,
  );
  return waiting.length === 0;
}

function hasMail(recipient: string): boolean {
  const folder = path.join(around.shop.dataDir, "outbox");
  const names = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return names.some((name) => readFileSync(path.join(folder, name), "utf8").includes(recipient));
}

type Round = { outcomes: Record<string, string>; again: Record<string, string>; books: unknown };

/** Begins the faults, tries every journey, and ends the faults. */
async function round(faults: Fault[]): Promise<Round> {
  const made = newMade();
  await keepPages();
  for (const { on, begin } of faults) await begin(around.doors[on]);
  const busy = watchBusyness();
  await db.transaction().execute((trx) => enqueue(trx, "refresh-rate", {}));
  const played = await play(Object.keys(JOURNEYS), made, faults);
  const outcomes: Record<string, string> = {};
  for (const [name, { outcome, slowest }] of Object.entries(played)) {
    const isLate = slowest > longestOf(name, faults) + busy.slack();
    outcomes[name] = `${outcome}${isLate ? `, after ${Math.round(slowest)} ms` : ""}`;
  }
  for (const [name, hasFollowed] of Object.entries(FOLLOWS)) {
    if (outcomes[name] !== "works") continue;
    if (expectedOf(name, faults) === "waits") outcomes[name] = (await hasFollowed(made)) ? "works" : "waits";
    else await until(name, () => hasFollowed(made));
  }
  await busy.end();
  if (faults.every(({ on }) => on !== "database")) await until("the rate", isRateAsked);
  for (const { on } of faults) await around.doors[on].heal();
  if (faults.some(isAboutOthers)) await command(db, ["orders", "resolve", ANOTHERS]);
  const rest = await finish(Object.entries(played), made).catch((error: unknown) => ({ again: {}, books: error }));
  return { outcomes, ...rest };
}

/** Repeats the journeys that were not possible, and does what waits, so that nothing is left for the next round. */
async function finish(played: [string, Played][], made: Made): Promise<Omit<Round, "outcomes">> {
  await until("open", isOpen);
  await hasten();
  const undone = played.filter(([, { outcome }]) => outcome !== "works").map(([name]) => name);
  const repeated = await play(undone, made);
  const again = Object.fromEntries(undone.map((name) => [name, repeated[name]?.outcome ?? ""]));
  await hasten();
  for (const [name, hasFollowed] of Object.entries(FOLLOWS)) await until(name, () => hasFollowed(made));
  const { result } = repeated.pay ?? Object.fromEntries(played).pay ?? {};
  if (typeof result !== "string") return { again, books: undefined };
  materials = await nextMaterials(made, result);
  return { again, books: await command(db, ["check", "--provider"]) };
}

const isRateAsked = async () =>
  (await world.ask("select from jobs.job where name = 'refresh-rate' and state in ('created', 'active')")).length === 0;

async function isOpen(): Promise<boolean> {
  const { shop, office, owner } = world;
  const answers = await Promise.all([newVisitor(shop.url).get("/status"), owner.get(`${office}/`)]);
  return answers.every(({ status }) => status === 200);
}

/** Makes everything due now that is due later. */
async function hasten(): Promise<void> {
  await world.ask("update jobs.job set start_after = now() where state = 'retry'");
  await world.ask("update payments set next_check_at = now() where next_check_at is not null");
  await world.ask(
    "update refunds set next_try_at = now(), updated_at = updated_at - interval '5 minutes' where state in ('open', 'sent')",
  );
}

/** Pays what is open, so that the next round begins as this one did. */
async function nextMaterials({ newcomer, bought, asked }: Made, payPage: string): Promise<Materials> {
  const { payer, paying } = materials;
  const reference = await endPayment(payPage, "success");
  await until("the payer's order", () => isRecorded(payer, reference));
  if (!bought && paying.reference) await endPayment(paying.payPage, "success");
  await until("the other payment", () => isSettled(paying.reference));
  const sold = await numberOf(await buy(payer, 3));
  const unwanted = await numberOf(await buy(payer, 1));
  const exchange = await exchangeToSend(payer);
  const received = materials.approved;
  await withdrawAllBut(asked);
  const approved = await approvedReturn(payer, await buyAndGet(payer), FOR_MONEY);
  await Promise.all([putInCart(payer), putInCart(paying.visitor)]);
  const { text } = await mailTo(around.shop.dataDir, newcomer, /Verify/);
  const code = new URL(linkIn(text, "oobCode=")).searchParams.get("oobCode") ?? "";
  const leaver = await newCustomer(around.shop, `${drawn()}@example.com`);
  const signedIn = newVisitor(around.shop.url);
  await signedIn.post("/login", { email: world.regular.email, password: PASSWORD });
  const people = { payer, paying: await openPayment(paying.visitor), leaver, signedIn };
  return { code, ...people, sold, unsent: await numberOf(reference), unwanted, asked, approved, received, exchange };
}

const FOR_MONEY = { wish: "money" };
const FOR_ANOTHER_SIZE = { wish: "exchange", "newSizes[]": `${PRODUCT.id}:${PRODUCT.size}:L` };

/** Requests a return, and agrees to it as the owner. Returns its number. */
async function approvedReturn(visitor: Visitor, reference: string, agreement: Record<string, string>): Promise<string> {
  const wish = { [`quantity:${PRODUCT.id}:${PRODUCT.size}`]: "1", reason: "damaged", words: "It is torn" };
  const answer = await visitor.post(`/order/${reference}/return`, wish);
  const number = new URL(answer.headers.get("location") ?? "", around.shop.url).hash.slice(1);
  await answerReturn(number, { intent: "approve", message: "Send it to 1 Broad Street", ...agreement });
  return number;
}

/** Makes a return whose piece is back, and for which another size is to be sent. Returns its number. */
async function exchangeToSend(payer: Visitor): Promise<string> {
  const number = await approvedReturn(payer, await buyAndGet(payer), FOR_ANOTHER_SIZE);
  await answerReturn(number, { intent: "receive" });
  return number;
}

async function answerReturn(number: string, fields: Record<string, string>): Promise<void> {
  const { office, owner } = world;
  const { status } = await owner.post(`${office}/returns/${number}`, fields, { origin: office });
  if (status !== 200) throw new Error(`The return ${number} is not at ${fields.intent}: ${status}`);
}

/** Withdraws the other returns: the order that is returned has fewer pieces than the whole table has rounds. */
async function withdrawAllBut(asked: string): Promise<void> {
  const { visitor, delivered } = world.regular;
  const others = await world.ask(
    `select number from returns where state in ('asked', 'approved') and number <> '${asked}'`,
  );
  for (const { number } of others) await visitor.post(`/order/${delivered}/return`, { withdraw: String(number) });
}

/**
 * Replaces expect.poll, which hooks do not have. A job whose end was lost with its connection runs again after two
 * minutes at most.
 */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 3 * MINUTE; !(await holds()); await pause(100))
    if (Date.now() > deadline) throw new Error(`It has not come to this: ${what}`);
}

async function isRecorded(visitor: Visitor, reference: string): Promise<boolean> {
  return (await (await visitor.get(`/order/${reference}`)).text()).includes("Order has been recorded");
}

async function isSettled(reference: string): Promise<boolean> {
  const [payment] = await world.ask(`select state from payments where reference = '${reference}'`);
  return payment?.state === "paid" || payment?.state === "refused";
}

/**
 * Measures how much longer everything takes on a busy machine, by the slowest answers to requests that need nothing.
 */
function watchBusyness(): { slack(): number; end(): Promise<void> } {
  let slowest = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await pause(250)) {
      const begun = performance.now();
      await Promise.all([fetch(`${world.shop.url}/healthz`), world.ask("select 1")]);
      slowest = Math.max(slowest, performance.now() - begun);
    }
  })();
  watching.catch(() => {}); // told by `end`, in the test whose round it is
  return {
    slack: () => 5 * slowest,
    end() {
      isOver = true;
      return watching;
    },
  };
}

/**
 * Requests the pages and pictures again: a page that nobody has requested since the last change is not in the cache.
 */
async function keepPages(): Promise<void> {
  await until("mails", areMailsOut);
  for (let i = 0; i < 2; i++) {
    await pause(300); // a cached page is checked once in 250 ms at most
    expect((await play(["pages", "pictures"], newMade())).pages?.outcome).toBe("works");
  }
}

const all = allFaults(readFileSync("db/demo/images/rings-tee-back.jpg"));
/**
 * The faults of each round. With MATRIX=all, each fault alone. Otherwise the database alone, dead and lying, and all
 * others together: this gives the same outcome for each journey in a tenth of the time.
 */
const rounds = isWhole ? all.map((fault) => [fault]) : share(quickRounds());

function quickRounds(): Fault[][] {
  const [ofDatabase, others] = [all.filter(({ on }) => on === "database"), all.filter(({ on }) => on !== "database")];
  const firstOf = (on: Dependency, kind: Kind) => others.find((one) => one.on === on && one.kind === kind) ?? [];
  const together = (kind: Kind) => DEPENDENCIES.flatMap((on) => firstOf(on, kind));
  return [...ofDatabase.filter(({ quick }) => quick).map((one) => [one]), ...KINDS.map(together)];
}

const titled = rounds.map((faults) => ({
  faults,
  title: faults.map(({ on, kind, name }) => `${on} ${kind} (${name})`).join(", "),
}));

describe.each(titled)("$title", ({ faults }) => {
  let done: Round;
  beforeAll(async () => {
    done = await round(faults);
  }, 10 * MINUTE);

  const cells = Object.keys(JOURNEYS).map((journey) => ({ journey, outcome: expectedOf(journey, faults) }));
  test.each(cells)("$journey: $outcome", ({ journey, outcome }) => {
    expect(done.outcomes[journey]).toBe(outcome);
  });

  test("afterwards all that was refused can be done, the rate is the old one, and the books agree with the provider's", async () => {
    const other = Object.entries(done.again).filter(([, outcome]) => outcome !== "works");
    // Money for which the provider reports another sum is no order: it is refunded.
    expect(other).toEqual(faults.some(isAboutCharges) ? [["return from payment", "says so"]] : []);
    expect(await world.ask("select rate from exchange_rates where rate <> 1600")).toEqual([]);
    expect(done.books).toMatchObject({ code: 0, text: expect.stringContaining("Everything agrees") });
  });
});
