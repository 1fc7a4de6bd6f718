import { randomUUID } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { setCode } from "#app/cart/offers/code.server.ts";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { applyDuePrices } from "#app/catalog/prices/apply.server.ts";
import { storeRate } from "#app/catalog/rates.server.ts";
import { backUp, type KeptFile } from "#app/infra/database/backup.server.ts";
import { closeDb, type Db, openDb, type Transaction } from "#app/infra/database/db.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { prepareDatabase } from "#app/infra/database/prepare.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { BOOKS_FILE } from "#app/infra/sandbox.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { offerTerms } from "#app/offers/terms.ts";
import { askReturn } from "#app/orders/returns/ask.server.ts";
import type { ReturnReason } from "#app/orders/returns/return.ts";
import { changeStock } from "#app/owner/catalog/stock.server.ts";
import { PAST_FILE, PAST_TABLES } from "#app/owner/demo-past/tables.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { addOffer, changeOffer } from "#app/owner/offers/offers.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { markDelivered, markPacked, markReady, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { addNote } from "#app/owner/orders/notes.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { proposeRefund, refundAgreed } from "#app/owner/orders/refunds/refunds.server.ts";
import { planSale } from "#app/owner/prices/sale-plan.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { changeCustomerTags, changeOrderTags } from "#app/owner/tags/change.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { loadShippingRates, seedShipping } from "#app/shipping/rates.server.ts";
import { endPayment } from "#tests/support/http-visitor.ts";
import { type Sandbox, startSandbox } from "../../sandbox/main.ts";
import { seeded } from "../chaos/random.ts";
import { type Passing, passing } from "./passing.ts";
import { type Person, people } from "./people.ts";

// Three months of a demo shop, played with the shop's own functions: customers buy, pay and send back, and the office
// packs, sends and refunds. Between two events, time passes: everything that is written moves into the past.

const LASTS = 90 * DAY;
/** Events happen on this grid, since each move writes all rows. */
const GRID = 20 * MINUTE;
const CUSTOMERS = 110;
const SEED = 73;
/** The demo's owner, as app/staff/demo.server.ts has it. */
const BY = { name: "owner@irepo.example", door: "office" } as const;
const CODE = "WELCOME10";
/** The offer of the code is over before the past ends: the shop of the demo takes no code, and shows no field for one. */
const WELCOME = { from: 12 * DAY, until: 80 * DAY };

const { random, between, chance } = seeded(SEED);
const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;

type Customer = Person & { id: string };
type Fate = "arrives" | "declined" | "left" | "cancelled" | "partly refunded" | "refunded" | Returned;
type Returned = "asked" | "declined return" | "approved" | "received" | "given back" | "exchanged";
type Sale = { reference: string; customer: Customer; isPickUp: boolean; isAbroad: boolean };

let db: Db;
let sandbox: Sandbox;
let time: Passing;
const customers: Customer[] = [];
/** The stock of each size as the catalogue says it. */
const levels: Record<string, Record<string, number>> = Object.fromEntries(
  (JSON.parse(readFileSync("db/demo/products.json", "utf8")) as { id: string; sizes: Record<string, number> }[]).map(
    ({ id, sizes }) => [id, sizes],
  ),
);

const plan: { at: number; work: () => Promise<unknown> }[] = [];

/** What happens after the end does not happen. */
function later(at: number, work: () => Promise<unknown>): void {
  const moment = Math.ceil(at / GRID) * GRID;
  if (moment < LASTS) plan.push({ at: moment, work });
}

/** The first moment from `at` on at which somebody is in the office. The end is at three in the afternoon. */
function atWork(at: number): number {
  const sinceThree = at % DAY;
  return sinceThree <= 2 * HOUR || sinceThree >= 18 * HOUR ? at : at - sinceThree + between(18, 20) * HOUR;
}

/** Writes the past into db/demo. Throws if the played shop's books do not agree. */
export async function record(): Promise<void> {
  const postgres = await startPostgres(env.dataDir);
  sandbox = await startSandbox();
  env.paystack.apiUrl = sandbox.url;
  try {
    await prepareDatabase({ owner: postgres.url, setting: "DATA_DIR" });
    db = openDb({ url: postgres.url, max: 5, name: "demo past" });
    await openQueue(postgres.url, { name: "demo past jobs" });
    await seedDemo(db);
    await seedShipping(db);
    time = passing(db, sandbox.ledger);
    await play();
    await finish();
    await write();
  } finally {
    await closeQueue();
    await closeDb();
    await sandbox.close();
    await postgres.stop();
  }
}

async function play(): Promise<void> {
  planEverything();
  while (plan.length > 0) {
    const next = plan.reduce((first, other) => (other.at < first.at ? other : first));
    plan.splice(plan.indexOf(next), 1);
    if (next.at > time.now()) await pass(next.at - time.now());
    await next.work();
  }
  await pass(LASTS - time.now());
}

/** Time passes for the shop, too: unpaid orders end, sale prices begin and end, the provider is asked again. */
async function pass(ms: number): Promise<void> {
  await time.pass(ms);
  await applyDuePrices(db);
  while (await reconcile(db));
}

function planEverything(): void {
  const everybody = people(CUSTOMERS, { random, between, chance });
  for (let day = 0; day < LASTS / DAY; day++) {
    later(day * DAY + 16 * HOUR, () => setRate(day));
    const orders = 1 + Math.floor(between(0, 2.3 + day / 40));
    for (let at = 0; at < orders; at++) later(day * DAY + waking(), () => order(everybody, fate(day)));
    if (day % 7 === 4) later(atWork(day * DAY + 18 * HOUR), () => restock(0.6));
  }
  // The last night and day, so that the office has work: paid, and not packed yet.
  for (const hours of [13, 6, 3.5, 1.5]) later(LASTS - hours * HOUR, () => order(everybody, "arrives"));
  later(LASTS - 40 * MINUTE, () => restock(1));
  later(WELCOME.from, addWelcome);
  later(atWork(48 * DAY), () => sale(["ankara-jersey", "adire-panel-tee", "unity-scarf"]));
  for (const day of [5, 11, 19, 26, 38, 44, 57, 66, 74, 83, 88]) later(day * DAY + waking(), subscribeSomebody);
}

const waking = () => (chance(50) ? between(0, 8.5) : between(16.5, 24)) * HOUR;

/** Orders of the last days have just begun; returns of the last weeks are not over. */
function fate(day: number): Fate {
  const left = LASTS / DAY - day;
  if (left > 6 && chance(9)) return one(["declined", "left", "left"]);
  if (left > 4 && chance(4)) return "cancelled";
  if (left > 12 && chance(6)) return one(["partly refunded", "refunded"]);
  if (left > 9 && left < 17 && chance(45)) return one(["asked", "approved", "received"]);
  if (left >= 24 && chance(14)) return one(["given back", "given back", "exchanged", "declined return"]);
  return "arrives";
}

async function setRate(day: number): Promise<void> {
  const left = LASTS / DAY - 1 - day;
  const rate = left === 0 ? FALLBACK_RATE : parseRate((1600 - left * 0.45 + between(-6, 6)).toFixed(2));
  if (rate) await storeRate(db, rate, "rates.example");
}

async function addWelcome(): Promise<void> {
  const terms = offerTerms.parse({
    gift: { kind: "percent", percent: 10 },
    firstOrderOnly: true,
    oncePerShopper: true,
  });
  const { id } = await addOffer(db, BY, { name: "Welcome", terms, byCode: true, code: CODE });
  later(WELCOME.until, () => changeOffer(db, BY, id, "end"));
}

async function sale(ids: string[]): Promise<void> {
  const terms = { endsAt: new Date(Date.now() + 6 * DAY), finalSale: false };
  const items = ids.map((id) => ({ id, percent: 15 }));
  const { problems, late } = await planSale(db, BY, items, terms, { saves: true });
  if (problems.length > 0 || late) throw new Error(`There is no sale: ${JSON.stringify(problems)}`);
}

async function subscribeSomebody(): Promise<void> {
  const { firstName, email } = one(customers);
  await subscribe(db, firstName, email);
}

/** Fills up the sizes of which less than this part of the catalogue's number is left. */
async function restock(part: number): Promise<void> {
  const rows = await db.selectFrom("productSizes").select(["productId as id", "size", "onHand"]).execute();
  for (const { id, size, onHand } of rows) {
    const level = levels[id]?.[size] ?? 0;
    if (onHand === level || onHand > level * part) continue;
    const reason = "Delivery from the workshop";
    ok(await changeStock(db, { by: BY, action: "stock set", id, size, target: () => level, reason }));
  }
  if (part < 1) return;
  for (const { id, size, onHand } of rows) {
    const level = levels[id]?.[size] ?? 0;
    if (onHand <= level) continue;
    ok(await changeStock(db, { by: BY, action: "stock set", id, size, target: () => level, reason: "Stock count" }));
  }
}

// Buying

async function customerFrom(everybody: Person[]): Promise<Customer> {
  const known = chance(45) ? one(customers) : undefined;
  const fresh = known ? undefined : everybody.pop();
  if (!fresh) return known ?? one(customers);
  const id = randomUUID();
  const { firstName, lastName, email } = fresh;
  await db.insertInto("users").values({ id, email, emailVerified: true, firstName, lastName }).execute();
  await db.insertInto("carts").values({ userId: id, version: 1 }).execute();
  const customer = { ...fresh, id };
  customers.push(customer);
  return customer;
}

/** Pieces that are in stock, of products that are bought more often the further up they stand. */
async function fillCart({ id }: Customer): Promise<void> {
  const sizes = await db
    .selectFrom("productSizes")
    .innerJoin("products", "products.id", "productId")
    .select(["productId", "size", "color", "priceCents", "position"])
    .where(sql<boolean>`on_hand - reserved > 2`)
    .orderBy("position")
    .orderBy("size")
    .execute();
  const count = chance(55) ? 1 : chance(70) ? 2 : 3;
  for (let at = 0; at < count; at++) {
    const found = sizes[Math.floor(random() ** 1.4 * sizes.length)];
    if (!found) throw new Error("Nothing is in stock");
    const { position: _, ...piece } = found;
    await db
      .insertInto("cartLines")
      .values({ ...piece, userId: id, quantity: chance(85) ? 1 : 2 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await db.updateTable("carts").set({ version: sql<number>`version + 1` }).where("userId", "=", id).execute();
}

async function order(everybody: Person[], fate: Fate): Promise<void> {
  const isFirst = everybody.length;
  const customer = await customerFrom(everybody);
  await fillCart(customer);
  const takesCode = time.now() > WELCOME.from && time.now() < WELCOME.until;
  if (takesCode && everybody.length < isFirst && chance(45)) await setCode(db, customer.id, CODE);
  const read = readShippingForm(new URLSearchParams(customer.address), await loadShippingRates(db));
  if (!read.ok) throw new Error(`${customer.email}: ${JSON.stringify(read.errors)}`);
  const { form, destination } = read;
  const user = { id: customer.id, emailVerified: true };
  const opened = await startPayment(db, { user, form, destination, currency: "NGN" });
  if (!opened.ok) throw new Error(`${customer.email} cannot pay: ${JSON.stringify(opened)}`);
  const { reference, authorizationUrl } = opened;
  if (fate === "left") return emptyCart(customer);
  await endPayment(authorizationUrl, fate === "declined" ? "decline" : "success");
  const { outcome } = await settlePayment(reference);
  if (fate === "declined") return emptyCart(customer);
  if (outcome !== "sold") throw new Error(`${reference} is ${outcome}`);
  const [isPickUp, isAbroad] = [destination.kind === "pickup", destination.kind === "abroad"];
  follow({ reference, customer, isPickUp, isAbroad }, fate);
}

/** Whoever has not paid comes back another time for something else. */
async function emptyCart({ id }: Customer): Promise<void> {
  await db.deleteFrom("cartLines").where("userId", "=", id).execute();
}

// The office

function follow(sale: Sale, fate: Fate): void {
  const now = time.now();
  const { reference, customer } = sale;
  const steps = (name: string, mark: (trx: Transaction) => Promise<Done>) => () => step(reference, name, mark);
  if (fate === "cancelled") {
    later(now + between(0.5, 3) * HOUR, async () => {
      ok(await cancelOrder(db, reference, changeOrder(db, BY, "orders cancel", reference)));
      await paidBack();
    });
    return;
  }
  const packed = atWork(now + between(7, 15) * HOUR);
  const left = atWork(packed + between(2, 9) * HOUR);
  const arrived = left + (sale.isAbroad ? between(5, 9) : between(1, 3.5)) * DAY;
  later(
    packed,
    steps("orders pack", (trx) => markPacked(trx, reference)),
  );
  if (sale.isPickUp)
    later(
      left,
      steps("orders ready", (trx) => markReady(trx, reference)),
    );
  else {
    const carrier = sale.isAbroad ? "DHL" : "GIG Logistics";
    const tracking = `${sale.isAbroad ? "DH" : "GIG"}${Math.floor(between(1e8, 9e8))}`;
    later(
      left,
      steps("orders fulfil", (trx) => markSent(trx, reference, { carrier, tracking })),
    );
  }
  later(arrived, async () => {
    await step(reference, "orders deliver", (trx) => markDelivered(trx, reference));
    afterwards(sale, fate);
  });
  if (chance(8)) later(packed, () => note(reference, one(NOTES)));
  if (chance(7)) later(packed, () => tag(reference, customer));
}

const NOTES = [
  "Asked on the phone for delivery after 4 pm",
  "A gift: no prices in the parcel, please",
  "Wants to know when the next jerseys come",
];
const RETURNS: [ReturnReason, string][] = [
  ["size", "It is a little tight at the shoulders"],
  ["unwanted", "My brother bought me the same one"],
  ["damaged", "A seam at the sleeve is open"],
  ["wrong", "I ordered another colour"],
];

async function note(reference: string, text: string): Promise<void> {
  ok(await addNote(db, BY, reference, { id: randomUUID(), text }));
}

async function tag(reference: string, { id }: Customer): Promise<void> {
  ok(await changeOrderTags(db, BY, reference, { add: { folded: "gift", word: "Gift" } }));
  if (chance(50)) ok(await changeCustomerTags(db, BY, id, { add: { folded: "regular", word: "Regular" } }));
}

function afterwards({ reference, customer }: Sale, fate: Fate): void {
  const now = time.now();
  if (fate === "partly refunded" || fate === "refunded")
    later(atWork(now + between(1, 3) * DAY), () => refund(reference, fate === "refunded"));
  else if (fate !== "arrives") later(now + between(0.5, 2.5) * DAY, () => sendBack(reference, customer, fate));
}

async function refund(reference: string, isWhole: boolean): Promise<void> {
  const wish = isWhole ? {} : { kobo: Math.floor(between(20, 60)) * 10_000 };
  const proposal = await proposeRefund(db, reference, wish);
  if (!proposal?.ok) throw new Error(`${reference} cannot be refunded: ${JSON.stringify(proposal)}`);
  await step(reference, "orders refund", (trx) => refundAgreed(trx, reference, wish, proposal.kobo));
  await paidBack();
}

async function sendBack(reference: string, { id }: Customer, fate: Fate): Promise<void> {
  const bought = await db
    .selectFrom("saleLines")
    .innerJoin("sales", "sales.id", "saleId")
    .select(["productId", "size"])
    .where("reference", "=", reference)
    .where(sql<boolean>`not exists (select from products where products.id = product_id and final_sale)`)
    .executeTakeFirst();
  if (!bought) return;
  const other = fate === "exchanged" ? await otherSize(bought) : null;
  const [reason, words] = other ? (RETURNS[0] ?? one(RETURNS)) : one(RETURNS);
  const pieces = [{ ...bought, quantity: 1, newSize: other }];
  const asked = await askReturn(db, id, reference, { pieces, reason, words });
  if (!asked?.ok) return; // such as a piece of a sale price that is final
  const [number = ""] = asked.numbers;
  if (fate === "asked") return;
  const answered = atWork(time.now() + between(3, 20) * HOUR);
  if (fate === "declined return") {
    const message = "It has been worn, as the pictures show, so we can’t take it back.";
    return later(answered, async () => ok(await declineReturn(db, number, { by: BY, message })));
  }
  later(answered, async () => ok(await approveReturn(db, number, { by: BY })));
  if (fate === "approved") return;
  const back = atWork(answered + between(2, 4) * DAY);
  later(back, async () => ok(await receiveReturn(db, number, { by: BY })));
  if (fate === "received") return;
  later(atWork(back + between(20, 50) * HOUR), async () => {
    const parcel = { carrier: "GIG Logistics", tracking: `GIG${Math.floor(between(1e8, 9e8))}` };
    if (other) return ok(await sendExchange(db, number, { by: BY, ...parcel, restock: true }));
    ok(await refundReturn(db, number, { by: BY, restock: reason !== "damaged" }));
    await paidBack();
  });
}

async function otherSize({ productId, size }: { productId: string; size: string }): Promise<string | null> {
  const found = await db
    .selectFrom("productSizes")
    .select("size")
    .where("productId", "=", productId)
    .where("size", "!=", size)
    .where(sql<boolean>`on_hand - reserved > 2`)
    .limit(1)
    .executeTakeFirst();
  return found?.size ?? null;
}

async function step(reference: string, name: string, mark: (trx: Transaction) => Promise<Done>): Promise<void> {
  ok(await changeOrder(db, BY, name, reference)(mark));
}

function ok(done: { ok: boolean; problem?: string }): void {
  if (!done.ok) throw new Error(`The office cannot do it: ${JSON.stringify(done)}`);
}

/** The provider gives back what it was asked for, and the shop asks it until all refunds are done. */
async function paidBack(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    while (await reconcile(db));
    const open = db.selectFrom("refunds").select("id").where("state", "in", ["open", "sent"]).limit(1);
    if (!(await open.executeTakeFirst())) return;
    await sandbox.clock.advance(SECOND);
    await db
      .updateTable("refunds")
      .set({ nextTryAt: sql<Date>`now()` })
      .where("state", "in", ["open", "sent"])
      .execute();
  }
  throw new Error("A refund does not end");
}

// The end

/** Mails count as sent when they were written, and nothing is left to do. */
async function finish(): Promise<void> {
  await sql`update outbox set state = 'sent', tries = 1, data = '{}', sent_at = created_at`.execute(db);
  await sql`update offer_uses set shopper = '{}'`.execute(db); // hashes with this database's own key
  await time.finish();
  const broken = await checkInvariants(db);
  if (broken.length > 0) throw new Error(`The books do not agree: ${JSON.stringify(broken)}`);
  const { rows } = await sql<{ open: number }>`select (
      (select count(*) from payments where next_check_at is not null or state = 'pending')
      + (select count(*) from refunds where state <> 'done') + (select count(*) from reservations)
      + (select count(*) from orders where state not in ('sold', 'released', 'refunded'))
      + (select count(*) from product_sizes where reserved > 0)
    )::int as open`.execute(db);
  if (rows[0]?.open) throw new Error(`${rows[0].open} payments, refunds, orders or reservations are not over`);
}

async function write(): Promise<void> {
  await backUp(db, PAST_FILE, books(), PAST_TABLES);
  chmodSync(PAST_FILE, 0o644);
  const { rows } = await sql<Record<string, string>>`
    select state, count(*) from orders group by state order by state`.execute(db);
  process.stdout.write(`${PAST_FILE}: ${rows.map(({ state, count }) => `${count} ${state}`).join(", ")}\n`);
}

/** The sandbox's books, as it keeps them itself. */
async function* books(): AsyncGenerator<KeptFile> {
  const { transactions, refunds } = sandbox.ledger;
  const entries = [
    ...[...transactions.values()].map((transaction) => ({ transaction })),
    ...refunds.map((refund) => ({ refund })),
  ];
  yield { file: BOOKS_FILE, bytes: gzipSync(entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")) };
}
