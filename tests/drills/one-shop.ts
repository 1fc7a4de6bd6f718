import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ask } from "#tests/support/ask-database.ts";
import { PRODUCT } from "#tests/support/fleet.ts";
import { freePort } from "#tests/support/free-port.ts";
import { endPayment, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { newDataDir, ownerUrl, paidAt, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { startSandbox } from "../../sandbox/main.ts";
import type { Drill } from "./drill.ts";

export type OneShop = {
  shop: RunningShop;
  customer: Visitor;
  /** A folder outside the shop's own, for backups. */
  folder: string;
  command(...words: string[]): Promise<{ code: number; said: string }>;
  /** Replaces the lost machine by one with the same settings and an empty folder. */
  startAnew(): Promise<void>;
};

/**
 * A shop with its embedded database and its pictures in its folder, a payment sandbox beside it, and a customer with an
 * account.
 */
export async function startOneShop({ afterwards }: Drill): Promise<OneShop> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-drill-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const sandbox = await startSandbox({ webhookUrl: `http://localhost:${port}/webhooks/paystack` });
  afterwards(sandbox.close);
  const settings = { ...paidAt(sandbox.url), PORT: String(port), SESSION_SECRET: "x".repeat(32) };
  const startAnew = async () => {
    const shop = await runShop({ ...settings, DATA_DIR: newDataDir() });
    afterwards(shop.stop);
    return shop;
  };
  const shop = await startAnew();
  await ask(ownerUrl(shop), "delete from jobs.job where name = 'make-pictures'"); // it would take two minutes of a core
  const one: OneShop = {
    shop,
    customer: await newCustomer(shop, "ada@example.com"),
    folder,
    command: (...words) => shopCommand({ ...settings, DATA_DIR: one.shop.dataDir }, ...words),
    async startAnew() {
      one.shop = await startAnew();
    },
  };
  return one;
}

/** Buys one piece, without script. Returns the payment's reference. Throws if there is no order. */
export async function buy(customer: Visitor): Promise<string> {
  await customer.post("/Cart", { intent: "add", ...PRODUCT, quantity: "1" });
  const paying = await pressPay(customer);
  const reference = await endPayment(paying.headers.get("location") ?? "", "success");
  await customer.get(`/checkout/return?reference=${reference}`);
  const page = await (await customer.get(`/order/${reference}`)).text();
  if (!page.includes("What you bought")) throw new Error(`The payment ${reference} has come to no order`);
  return reference;
}
