import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#app/infra/database/db.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { endPayment, LAGOS, newCustomer, shownOn, type Visitor } from "#tests/support/http-visitor.ts";
import type { Sandbox } from "../../sandbox/main.ts";
import { type Promised, someFaults } from "../chaos/books.ts";
import type { Chances } from "../chaos/random.ts";
import type { Answers } from "./answers.ts";

export type Sale = {
  shop: { url: string; dataDir: string };
  sandbox: Sandbox;
  chances: Chances;
  answers: Answers;
  /** The results that the pages of orders have told shoppers. */
  promises: Promised[];
  /** The product to buy: one that is always short, or one that is plentiful. */
  wanted(): { id: string; size: string };
};

/** A customer with an account who buys one piece after the other, until `over`. */
export async function startBuyer(sale: Sale, name: string): Promise<{ buy(over: () => boolean): Promise<void> }> {
  const visitor = await newCustomer(sale.shop, `${name}@example.com`);
  return {
    async buy(over) {
      while (!over()) {
        await sleep(sale.chances.between(0.3 * SECOND, 2 * SECOND));
        await buyOnce(sale, visitor, over);
      }
    },
  };
}

/** Removes the counts of the rate limits: a shopper here stands for many, to whom the limits of one would not apply. */
export async function keepForgettingLimits(db: Db, over: () => boolean): Promise<void> {
  while (!over()) {
    await db
      .deleteFrom("rateLimits")
      .execute()
      .catch(() => undefined); // the database is away; the next round tries again
    await sleep(5 * SECOND);
  }
}

/** Buys as a shopper without script: cart, checkout, the provider's page, and back. Some pay twice, some leave. */
async function buyOnce(sale: Sale, visitor: Visitor, over: () => boolean): Promise<void> {
  const { chances, answers } = sale;
  const { chance } = chances;
  /** Presses again when the shop answers that it is unavailable right now. */
  const insist = (what: string, asking: () => Promise<Response>) => answers.insist(what, asking, over);

  await insist("page", () => visitor.get(chance(50) ? "/shop" : "/"));
  const { id, size } = sale.wanted();
  const added = await insist("write", () => visitor.post("/Cart", { intent: "add", id, size, quantity: "1" }));
  if (added?.status !== 303) return;
  await insist("page", () => visitor.get("/Cart"));
  const shown = await insist("page", () => visitor.post("/checkout", LAGOS));
  if (!shown) return;
  const agreed = await shownOn(shown);
  const paying = await insist("write", () => visitor.post("/checkout", { ...LAGOS, ...agreed }));
  const payPage = paying?.status === 303 ? paying.headers.get("location") : undefined;
  if (!payPage?.startsWith(sale.sandbox.url)) {
    // The piece is sold out, or was paid for in another tab.
    await insist("write", () => visitor.post("/Cart", { intent: "remove", id, size }));
    return;
  }
  if (chance(10)) return; // leaves without paying
  const reference = await pay(sale, payPage);
  if (chance(20)) return; // never comes back
  if (reference) await seeOrder(sale, reference, insist, visitor);
}

async function pay({ sandbox, chances }: Sale, payPage: string): Promise<string> {
  const { chance } = chances;
  const code = new URL(payPage).pathname.slice(1);
  const transaction = [...sandbox.ledger.transactions.values()].find(({ accessCode }) => accessCode === code);
  if (transaction) transaction.faults = someFaults(chances);
  const outcome = chance(10) ? "decline" : "success";
  const tries = chance(20) ? 2 : 1; // a second press on Pay, or a second tab
  const ends = await Promise.all(Array.from({ length: tries }, () => endPayment(payPage, outcome)));
  return ends.find(Boolean) ?? "";
}

type Insist = (what: string, asking: () => Promise<Response>) => Promise<Response | undefined>;

async function seeOrder({ promises, answers }: Sale, reference: string, insist: Insist, visitor: Visitor) {
  await insist("page", () => visitor.get(`/checkout/return?reference=${reference}`));
  const begunAt = performance.now();
  const page = await insist("page", () => visitor.get(`/order/${reference}`));
  const html = (await page?.text()) ?? "";
  if (html.includes("What you bought")) {
    promises.push({ reference, outcome: "sold" });
    answers.succeeded("order", begunAt);
  } else if (/Your money (goes|is) back/.test(html)) promises.push({ reference, outcome: "refunding" });
}
