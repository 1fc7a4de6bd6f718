import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { LAGOS, newCustomer, PASSWORD, pressPay } from "#tests/support/http-visitor.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";

let shop: RunningShop;

beforeAll(async () => {
  shop = await runShop();
});
afterAll(() => shop?.stop());

async function sandbox(path: string, body?: unknown): Promise<unknown> {
  const init = body
    ? { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    : {};
  return (await fetch(`${shop.sandboxUrl}/__sandbox/${path}`, init)).json();
}

test("the shop killed between payment and recording: after a restart the order is there, once", async () => {
  const email = "kill@example.com";
  const customer = await newCustomer(shop, email);
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "2" });
  await sandbox("scenario", { name: "webhook_never" });
  const started = await pressPay(customer, { ...LAGOS, email });
  expect(started.status).toBe(303);
  const [transaction] = (await sandbox("transactions")) as { reference: string }[];
  const reference = transaction?.reference ?? "";
  expect(await sandbox("pay", { reference })).toEqual({ result: "success" });

  await shop.kill();
  await shop.start();
  await customer.post("/login", { email, password: PASSWORD });
  // No page asks about the order: the shop finds out by itself.
  await vi.waitFor(async () => expect(await (await customer.get("/account")).text()).toContain(reference), {
    timeout: 60_000,
    interval: 500,
  });
  for (let i = 0; i < 3; i++) expect((await customer.get(`/order/${reference}`)).status).toBe(200);

  expect((await mailTo(shop.dataDir, email, /order/)).text).toContain("Unity Home Jersey");
  expect(await (await customer.get("/api/products/unity-home-jersey")).json()).toMatchObject({ sizes: { M: 22 } });
  expect(await (await customer.get("/api/cart")).json()).toMatchObject({ lines: [] });
  expect(JSON.parse(await ownerSays(shop, "check", "--json"))).toMatchObject({ broken: [] });
}, 120_000);
