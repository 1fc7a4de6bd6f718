import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newVisitor as newPage } from "#tests/support/browser.ts";
import { hearsOf, hearsOfTwo, newCustomer, newVisitor, PASSWORD } from "#tests/support/http-visitor.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

test("a change of the cart in one browser is in another one, which follows by itself", async () => {
  const email = "live@example.com";
  const elsewhere = await newCustomer(shop, email);
  const { page } = await newPage(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${shop.url}/login`);
  const form = page.getByRole("main");
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL(`${shop.url}/`);
  await page.goto(`${shop.url}/Cart`);
  await page.getByText("Add something to your cart").waitFor();
  await elsewhere.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "3" });
  await page.getByText("Linked Rings Tee").first().waitFor();
  await page.goto(`${shop.url}/checkout`);
  await page.getByRole("heading", { name: "SHIPPING" }).waitFor();
  await elsewhere.post("/Cart", { intent: "remove", id: "rings-tee", size: "M" });
  await page.getByText("You don't have any items to checkout").waitFor();
  await page.goto(`${shop.url}/Cart`);
  await page.getByText("Add something to your cart").waitFor();
  await elsewhere.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "3" });
  await page.getByText("Linked Rings Tee").first().waitFor();
  await elsewhere.post("/Cart", { intent: "remove", id: "rings-tee", size: "M" });
  await page.getByText("Add something to your cart").waitFor();
}, 120_000);

test("S28 a stream ends at once when its session does, and a guest gets none", async () => {
  expect((await newVisitor(shop.url).get("/api/live")).status).toBe(401);
  const customer = await newCustomer(shop, "leaving@example.com");
  const stream = await customer.get("/api/live");
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  const begins = hearsOf(0, stream.clone());
  const hears = hearsOfTwo(stream.clone());
  const heard = stream.text();
  expect(await begins).toBe(true);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "2" });
  expect(await hears).toBe(true);
  await customer.post("/logout", {});
  expect(await heard).toMatch(/"count":0[\s\S]*"count":2/);
});

test("a shopper who opens one stream after the other holds 20 of them: the oldest is ended, the others hear", async () => {
  const customer = await newCustomer(shop, "many-streams@example.com");
  const streams: Response[] = [];
  for (let i = 0; i < 21; i++) streams.push(await customer.get("/api/live"));
  const [oldest, ...others] = streams;
  expect(await oldest?.text()).toContain("retry");
  const heard = others.map(hearsOfTwo);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "2" });
  expect(await Promise.all(heard)).toEqual(Array(20).fill(true));
});

test("whoever asks only for a stream's headers holds none: those that are open go on", async () => {
  const customer = await newCustomer(shop, "only-headers@example.com");
  const stream = await customer.get("/api/live");
  const cookie = [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (let i = 0; i < 25; i++)
    expect((await fetch(`${shop.url}/api/live`, { method: "HEAD", headers: { cookie } })).status).toBe(200);
  const heard = hearsOfTwo(stream);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "2" });
  expect(await heard).toBe(true);
});

describe("a shop whose pages do not put their scripts off", () => {
  let other: RunningShop;
  beforeAll(async () => {
    other = await runShop({ DEFER_HYDRATION: "false" });
  });
  afterAll(() => other?.stop());

  test("a page's script takes over without a complaint: what is added stands in the cart, and links are followed", async () => {
    const { page, complaints } = await newPage(browser, { viewport: { width: 1440, height: 900 } });
    await page.goto(`${other.url}/singleProduct/rings-tee`);
    expect(await page.locator("script[type^=deferred]").count()).toBe(0);
    await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("dialog", { name: "CART" }).getByText("Linked Rings Tee").waitFor();
    await page.reload();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await page
      .getByRole("link", { name: /^shop$/i })
      .first()
      .click();
    await page.waitForURL(`${other.url}/shop`);
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
    await page.goBack();
    await page.waitForURL(`${other.url}/singleProduct/rings-tee`);
    expect(complaints).toEqual([]);
  });
});

test("a page that was offline knows of the change as soon as it is back", async () => {
  const email = "offline@example.com";
  const elsewhere = await newCustomer(shop, email);
  const { page, context } = await newPage(browser, { viewport: { width: 1440, height: 900 } });
  // The session of the other browser, and the cookie by which pages know that there is a session.
  const [name = "", value = ""] = [...elsewhere.cookies].find(([one]) => one === "irepo.session") ?? [];
  await context.addCookies([
    { name, value, url: shop.url },
    { name: "irepo_in", value: "1", url: shop.url },
  ]);
  const first = page.waitForResponse("**/api/live");
  await page.goto(`${shop.url}/account`);
  await page.getByText("Welcome, Ada!").waitFor();
  await first;
  const stream = page.waitForResponse("**/api/live");
  await page.goto(`${shop.url}/Cart`);
  await stream; // its script has loaded, which could not be fetched offline
  await page.getByText("Add something to your cart").waitFor();
  await context.setOffline(true);
  await elsewhere.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  await context.setOffline(false);
  await page.getByText("Linked Rings Tee").first().waitFor();
});

test("the shop stops at once although streams are open", async () => {
  const customer = await newCustomer(shop, "stopping@example.com");
  const stream = await customer.get("/api/live");
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let said = ""; !said.includes('"count":0'); ) said += (await reader?.read())?.value ?? "";
  await shop.restart();
  expect(await reader?.read()).toMatchObject({ done: true });
  expect((await newVisitor(shop.url).get("/readyz")).status).toBe(200);
});
