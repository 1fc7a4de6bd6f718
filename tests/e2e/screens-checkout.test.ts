import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page, Route } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { newVisitor, PAID, seesAfter } from "#tests/support/browser.ts";
import { hasFocus } from "#tests/support/hands.ts";
import { endPayment, LAGOS, newCustomer, type Visitor } from "#tests/support/http-visitor.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

let customers = 0;

/** Signs in a new customer with a piece in the cart. */
async function signInNew(
  context: BrowserContext,
  piece = { id: "rings-tee", size: "M", quantity: "1" },
): Promise<Visitor> {
  const customer = await newCustomer(shop, `checkout-${++customers}@example.com`);
  await customer.post("/Cart", { intent: "add", ...piece });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  return customer;
}

async function fillIn(page: Page): Promise<void> {
  const form = page.getByRole("main");
  await form.getByLabel("Phone").fill("0803 123 4567");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Lagos");
  await form.getByLabel("Street and number").fill("1 Broad Street");
}

/** A customer with a tee at the checkout, with every field filled in. */
async function readyToPay(): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await newVisitor(browser);
  await signInNew(context);
  await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  await fillIn(page);
  return { page, context };
}

const payNow = (page: Page) => page.getByRole("button", { name: /^Pay Now/ });
const payment = (page: Page) => page.getByRole("dialog", { name: "Choose a Payment Method" });
const paystack = (page: Page) => payment(page).getByRole("button", { name: /^Card/ });
const popup = (page: Page) => page.frameLocator('iframe[id^="inline-checkout-"]');
const street = (page: Page) => page.getByRole("main").getByLabel("Street and number");

async function logOutElsewhere(context: BrowserContext): Promise<void> {
  const other = await context.newPage();
  await other.goto(`${shop.url}/account`);
  await other.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await other.waitForURL(`${shop.url}/`);
}

const owner = (...words: string[]) => ownerSays(shop, ...words, "--yes");

test("the payment dialog names the cards that can pay, who takes them and the sum, and begins there", async () => {
  const { page, context } = await readyToPay();
  await payNow(page).click();
  const name = "Card (Visa, Mastercard, Verve) ₦45,584 at $1 = ₦1,600, by Paystack";
  const card = payment(page).getByRole("button", { name, exact: true });
  await expect.poll(() => hasFocus(card)).toBe(true);
  await context.close();
});

test("the default address fills in the form, what was typed stays in front of it, and a choice fills it in again", async () => {
  const { page, context } = await newVisitor(browser);
  const customer = await signInNew(context);
  await customer.post("/account/addresses/new", LAGOS);
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  const choice = page.getByLabel("Saved addresses");
  const save = page.getByLabel("Save this address");
  const email = page.getByRole("main").getByLabel("Email");
  const all = async () => [await street(page).inputValue(), (await choice.inputValue()) !== "", await save.isVisible()];
  expect(await all()).toEqual([LAGOS.address, true, false]);
  await street(page).fill("9 Allen Avenue");
  await email.fill("other@example.com");
  await expect.poll(all).toEqual(["9 Allen Avenue", false, true]);
  await page.reload({ waitUntil: "networkidle" });
  await expect.poll(all).toEqual(["9 Allen Avenue", false, true]);
  await choice.selectOption({ index: 1 });
  await expect.poll(all).toEqual([LAGOS.address, true, false]);
  expect(await email.inputValue()).toBe("other@example.com");
  await choice.selectOption({ index: 0 });
  await expect.poll(all).toEqual(["9 Allen Avenue", false, true]);
  await context.close();
});

test("a total that has changed meanwhile is shown, and can be paid", async () => {
  const { page, context } = await readyToPay();
  const before = await payNow(page).textContent();
  await owner("rate", "set", "1700");
  await payNow(page).click();
  await paystack(page).click();
  const problem = page.getByRole("alert").filter({ hasText: "The total has changed to" });
  await problem.waitFor();
  await expect.poll(() => payNow(page).textContent()).not.toBe(before);
  expect(await problem.textContent()).toContain(/₦[\d,]+/.exec((await payNow(page).textContent()) ?? "")?.[0]);
  await expect.poll(async () => (await problem.boundingBox())?.y).toBeGreaterThan(60); // below the header, so visible
  await payNow(page).click();
  await paystack(page).click();
  await popup(page).getByRole("button", { name: "Pay success" }).waitFor();
  await context.close();
});

test.each([
  ["with", true],
  ["without", false],
])("where less is left than the cart wants, the checkout says so and sells that, %s script", async (_, script) => {
  const { page, context } = await newVisitor(browser, { javaScriptEnabled: script });
  const customer = await signInNew(context, { id: "rings-tee", size: "L", quantity: "5" });
  await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  await fillIn(page);
  await owner("stock", "set", "rings-tee", "L", "2");
  const press = async () => {
    await payNow(page).click();
    if (script) await paystack(page).click();
  };
  await press();
  await page.getByRole("alert").filter({ hasText: "Of Linked Rings Tee in L only 2 are left." }).waitFor();
  await page.getByText("Your order has the items we still have; the rest stays in your cart.").waitFor();
  await press();
  const pay = () => (script ? popup(page) : page).getByRole("button", { name: "Pay success" }).click();
  if (script) {
    await seesAfter(page, PAID, pay);
    await page.waitForURL(`${shop.url}/`);
  } else {
    await pay();
    await page.getByText("Order has been recorded").waitFor();
  }
  expect((await (await customer.get("/api/cart")).json()).lines).toMatchObject([
    { id: "rings-tee", quantity: 3, changes: ["Sold out: not in your total."] },
  ]);
  await page.goto(`${shop.url}/checkout`);
  await page.getByText("Linked Rings Tee in L is sold out.").waitFor();
  await owner("stock", "set", "rings-tee", "L", "20");
  await context.close();
});

test("who orders more than is put aside is told so before the popup opens, and can pay", async () => {
  const { page, context } = await newVisitor(browser);
  await owner("stock", "set", "rings-tee", "S", "60");
  await signInNew(context, { id: "rings-tee", size: "S", quantity: "51" });
  await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  await fillIn(page);
  await payNow(page).click();
  await payment(page).getByText("We can’t hold these items while you pay").waitFor();
  await paystack(page).click();
  await seesAfter(page, PAID, () => popup(page).getByRole("button", { name: "Pay success" }).click());
  await context.close();
});

test.each([
  ["is not answered", (page: Page) => page.route("**/checkout.data*", (route) => route.abort())],
  [
    "is answered by something else",
    (page: Page) => page.route("**/checkout.data*", (route) => route.fulfill({ status: 502, body: "Bad Gateway" })),
  ],
])("a payment whose start %s leaves the form as it was, and says so", async (_, breakDown) => {
  const { page, context } = await readyToPay();
  await payNow(page).click();
  await breakDown(page);
  await paystack(page).click();
  const refusal = page.getByRole("alert").filter({ hasText: "We can’t do this right now." });
  expect(await street(page).inputValue()).toBe("1 Broad Street");
  await expect.poll(() => hasFocus(refusal)).toBe(true); // it stands above Pay Now
  await page.unroute("**/checkout.data*");
  await payNow(page).click();
  await paystack(page).click();
  await popup(page).getByRole("button", { name: "Pay success" }).waitFor();
  await context.close();
});

test("when the ways to pay cannot be loaded that is said, and Pay Now tries again", async () => {
  const { page, context } = await readyToPay();
  await page.route(/\/assets\/dialog-/, (route) => route.abort());
  await page.reload({ waitUntil: "networkidle" });
  await payNow(page).click();
  await page.getByRole("alert").filter({ hasText: "We can’t do this right now." }).waitFor();
  expect(await street(page).inputValue()).toBe("1 Broad Street");
  await page.unroute(/\/assets\/dialog-/);
  await payNow(page).click();
  await paystack(page).waitFor();
  await context.close();
});

test("the provider's window is waited for in ours, and when it cannot come there is another way to pay", async () => {
  const { page, context } = await readyToPay();
  const asked = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  await page.route(/\/assets\/inline-/, async (route) => {
    asked.resolve();
    await lost.promise;
    await route.abort();
  });
  await payNow(page).click();
  await paystack(page).click();
  await asked.promise;
  await payment(page).getByText("Opening the payment ...").waitFor();
  lost.resolve();
  await payment(page).getByText("We couldn’t load the payment window. Nothing was charged.").waitFor();
  await payment(page).getByRole("link", { name: "Pay on the provider's page" }).click();
  await page.waitForURL(`${shop.sandboxUrl}/**`);
  await context.close();
});

test.each([
  ["cannot be asked", false, "We couldn’t load the payment window."],
  ["says that it was paid", true, PAID],
])(
  "where the provider's window cannot come and the shop %s, nobody hears that nothing was charged",
  async (_, pays, said) => {
    const { page, context } = await readyToPay();
    const lost = Promise.withResolvers<void>();
    await page.route(/\/assets\/inline-/, (route) => lost.promise.then(() => route.abort()));
    const started = Promise.withResolvers<string>();
    await page.route("**/checkout.data*", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const response = await route.fetch();
      started.resolve(await response.text());
      await route.fulfill({ response });
    });
    await payNow(page).click();
    await paystack(page).click();
    const answer = await started.promise;
    const payPage = answer.slice(answer.indexOf(shop.sandboxUrl)).split(/["\\]/, 1)[0] ?? "";
    if (pays) await endPayment(payPage, "success");
    else await page.route("**/api/payments/**", (route) => route.abort());
    await seesAfter(page, said, lost.resolve);
    expect(await page.getByText("Nothing was charged").count()).toBe(0);
    await context.close();
  },
);

test("a payment that was left before it opened does not open", async () => {
  const { page, context } = await readyToPay();
  const asked = Promise.withResolvers<void>();
  const comes = Promise.withResolvers<void>();
  await page.route(/\/assets\/inline-/, async (route) => {
    asked.resolve();
    await comes.promise;
    await route.continue();
  });
  await payNow(page).click();
  await paystack(page).click();
  await asked.promise;
  await payment(page).getByRole("button", { name: "Close" }).click();
  await street(page).fill("2 Marina");
  comes.resolve();
  const provider = page.locator('iframe[id^="inline-checkout-"]');
  await provider.waitFor({ state: "attached" });
  await payNow(page).click();
  await payment(page).getByRole("button", { name: "Close" }).click();
  expect(await provider.isVisible()).toBe(false);

  await payNow(page).click();
  await paystack(page).click();
  await seesAfter(page, PAID, () => popup(page).getByRole("button", { name: "Pay success" }).click());
  await page.waitForURL(`${shop.url}/`);
  await page.goto(`${shop.url}/account`);
  await page.getByText("1 piece, details").click();
  await page.getByText("2 Marina").first().waitFor();
  await context.close();
});

test("whoever closes the provider's window while the shop cannot be reached is not told of a success", async () => {
  const { page, context } = await readyToPay();
  await page.clock.install();
  await page.route("**/api/payments/**", (route) => route.abort());
  await payNow(page).click();
  await paystack(page).click();
  await popup(page).getByRole("button", { name: "Close" }).click();
  await payment(page).getByText("Confirming your payment.").waitFor();
  const unknown = payment(page).getByText("We can’t see yet whether you were charged. Please don’t pay again.");
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000);
      return unknown.count();
    })
    .toBe(1);
  expect(await payment(page).getByRole("link", { name: "Was I charged?" }).getAttribute("href")).toMatch(/^\/order\//);
  await context.close();
});

test("a transfer on its way is said in every tab and without script, and so is its arrival", async () => {
  const { page, context } = await newVisitor(browser);
  const customer = await signInNew(context);
  await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  await fillIn(page);
  const sum = /₦[\d,]+/.exec((await payNow(page).textContent()) ?? "")?.[0];
  await payNow(page).click();
  await paystack(page).click();
  await popup(page).getByRole("button", { name: "Pay by transfer (pending)" }).click();
  const waiting = (at: Page) => at.getByRole("heading", { name: `We’re waiting for your payment of ${sum}` });
  await waiting(page).waitFor();
  const other = await context.newPage();
  await other.goto(`${shop.url}/checkout`);
  await waiting(other).waitFor();
  await other.goto(shop.url);
  await other.getByText(`Your payment of ${sum} has not arrived yet.`).waitFor();
  await other.getByRole("link", { name: "Check again" }).click();
  await waiting(other).waitFor();
  await other.getByRole("link", { name: "Pay another way" }).click();
  await other.getByText("is still in progress. If both arrive, we’ll refund one of them in full.").waitFor();
  expect(await payNow(other).isVisible()).toBe(true);
  expect(await (await customer.get("/checkout")).text()).toContain("We’re waiting for your payment of");

  const arrive = () =>
    fetch(`${shop.sandboxUrl}/__sandbox/advance`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seconds: 31 }),
    });
  await seesAfter(page, PAID, arrive);
  await page.getByRole("heading", { name: "Your payment has arrived" }).waitFor();
  await page.goto(`${shop.url}/checkout`);
  await page.getByText("You have nothing to checkout").waitFor();
  await page.getByRole("link", { name: /^IR-/ }).waitFor();
  await context.close();
});

/**
 * Moves a stopped clock until the words are there, in steps shorter than the second after which the shopper is
 * redirected.
 */
async function stepsTo(page: Page, words: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(900);
      return page.getByText(words).isVisible();
    })
    .toBe(true);
}

const BUSY_MACHINE = 4000; // ms

test("closing the popup closes the dialog within a second; a payment that cannot be recorded is said to be so within 15 s; 1 s after it is the way goes home", async () => {
  const { page, context } = await readyToPay();
  await page.clock.install();
  await payNow(page).click();
  await paystack(page).click();
  const close = popup(page).getByRole("button", { name: "Close" });
  await close.waitFor();
  const closed = page.waitForResponse("**/api/payments/**");
  await close.click();
  await closed;
  await payment(page).waitFor({ state: "hidden", timeout: 1000 + BUSY_MACHINE });
  await page.getByText("Nothing was charged, and your cart is kept.").waitFor();

  await payNow(page).click();
  await paystack(page).click();
  await page.route("**/api/payments/**", (route) => route.fulfill({ status: 500, body: "{}" }));
  await popup(page).getByRole("button", { name: "Pay success" }).click();
  const failed = payment(page).getByText("Payment successful but error recording sale. Please contact support.");
  // The 15 s may be over before the test looks.
  await payment(page).getByText("Confirming your payment.").or(failed).waitFor();
  for (let second = 0; second < 15; second++) await page.clock.runFor(1000);
  await failed.waitFor({ timeout: 5000 });
  const asked: Route[] = [];
  await page.route("**/api/payments/**", (route) => void asked.push(route));
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 10_000);
  const askedFor = async () => {
    await page.clock.runFor(1000);
    return asked.length;
  };
  await expect.poll(askedFor).toBe(1);
  await asked[0]?.continue();
  await payment(page).getByText(PAID).waitFor();
  await page.clock.runFor(900);
  await page.evaluate(() => fetch("/robots.txt")); // would not be answered by a page that is left
  expect(page.url()).toBe(`${shop.url}/checkout`);
  await page.clock.runFor(200);
  await page.waitForURL(`${shop.url}/`);
  await context.close();
});

test("whoever closes the dialog while a payment is confirmed is told what came of it all the same", async () => {
  const { page, context } = await readyToPay();
  await page.clock.install();
  await payNow(page).click();
  await paystack(page).click();
  await page.route("**/api/payments/**", (route) => route.fulfill({ status: 500, body: "{}" }));
  const paid = popup(page).getByRole("button", { name: "Pay success" });
  await paid.waitFor();
  await page.clock.pauseAt(Date.now() + 10_000); // on a slow machine the failure would come before the dialog is closed
  await paid.click();
  await stepsTo(page, "Confirming your payment.");
  await page.keyboard.press("Escape");
  await payment(page).waitFor({ state: "hidden" });
  const failed = payment(page).getByText("Payment successful but error recording sale. Please contact support.");
  for (let second = 0; second < 15; second++) await page.clock.runFor(1000);
  await failed.waitFor();
  await page.keyboard.press("Escape");
  await payment(page).waitFor({ state: "hidden" });
  await page.unroute("**/api/payments/**");
  await stepsTo(page, PAID);
  await context.close();
});

test.each([
  ["a sale", undefined, PAID],
  ["money that goes back", { outcome: "refunding" }, "Your money is on its way back to you."],
])(
  "whoever has gone on to another page while a payment is confirmed is told there of %s, and not led away",
  async (_, json, said) => {
    const { page, context } = await readyToPay();
    await payNow(page).click();
    await paystack(page).click();
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/api/payments/**", (route) =>
      goesOn.then(() => (json ? route.fulfill({ json }) : route.continue())),
    );
    await popup(page).getByRole("button", { name: "Pay success" }).click();
    await payment(page).getByText("Confirming your payment.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("contentinfo").getByRole("link", { name: "Returns" }).click();
    await page.waitForURL("**/returnpolicy");
    await page.clock.install();
    goOn();
    await page.getByText(said).waitFor();
    await page.clock.runFor(5000);
    expect(new URL(page.url()).pathname).toBe("/returnpolicy");
    await context.close();
  },
);

test("when another shopper signs in in another tab, nothing that the first one has typed is there", async () => {
  const { page, context } = await readyToPay();
  const phone = page.getByRole("main").getByLabel("Phone");
  expect(await phone.inputValue()).not.toBe("");
  await signInNew(context);
  const other = await context.newPage();
  await other.goto(shop.url);
  await expect.poll(() => phone.inputValue()).toBe("");
  await context.close();
});

test.each([
  ["while a way to pay is chosen", false],
  ["while a payment was opened", true],
])("after a logout in another tab the form is gone, also %s", async (_, opens) => {
  const { page, context } = await readyToPay();
  await payNow(page).click();
  await paystack(page).waitFor();
  if (opens) {
    await page.route(/\/assets\/inline-/, () => new Promise(() => {})); // the library never arrives
    await paystack(page).click();
    await payment(page).getByText("Opening the payment ...").waitFor();
  }
  await logOutElsewhere(context);
  if (opens) await payment(page).getByRole("button", { name: "Close" }).click();
  await page.getByText("Hello, You need to log in to check out seamlessly").waitFor();
  expect(await street(page).count()).toBe(0);
  await context.close();
});

test("after a logout in another tab the address of a payment that is on its way is gone", async () => {
  const { page, context } = await readyToPay();
  await payNow(page).click();
  await paystack(page).click();
  await popup(page).getByRole("button", { name: "Pay by transfer (pending)" }).click();
  await page.getByRole("heading", { name: "It goes to" }).waitFor();
  await logOutElsewhere(context);
  await page.getByText("Hello, You need to log in to check out seamlessly").waitFor();
  expect(await page.getByText("1 Broad Street").count()).toBe(0);
  await context.close();
});

test("a popup that is opened again offers no way to pay before it knows what is paid", async () => {
  const { page, context } = await readyToPay();
  await payNow(page).click();
  await paystack(page).click();
  await popup(page).getByRole("button", { name: "Close" }).click();
  await page.getByText("Nothing was charged, and your cart is kept.").waitFor();
  const asked = Promise.withResolvers<Route>();
  await page.route("**/transaction/verify_access_code/**", asked.resolve);
  await payNow(page).click();
  await paystack(page).click();
  const question = await asked.promise;
  const paid = popup(page).getByRole("button", { name: "Pay success" });
  expect(await paid.isVisible()).toBe(false);
  await question.continue();
  await seesAfter(page, PAID, () => paid.click());
  await context.close();
});

test("S37 what another window says of a payment changes nothing, and no window that opened the shop can say anything", async () => {
  const { page, context } = await readyToPay();
  await payNow(page).click();
  await paystack(page).click();
  const pay = popup(page).getByRole("button", { name: "Pay success" });
  await pay.waitFor();
  /**
   * Sends the message that the payment was left, from this origin, and from a window of its own or the provider's. The
   * message is handled before this returns.
   */
  const hear = (origin: string, ofProvider = false) =>
    page.evaluate(
      ([origin, frame]) => {
        const source = document.querySelector<HTMLIFrameElement>(frame)?.contentWindow;
        const data = { event: "close", data: { status: "abandoned" } };
        dispatchEvent(new MessageEvent("message", { origin, source, data }));
      },
      [origin, ofProvider ? 'iframe[id^="inline-checkout-"]' : "nothing"] as const,
    );
  for (const origin of ["https://evil.example", shop.url, "null", ""]) await hear(origin);
  await pay.waitFor();
  await hear(shop.sandboxUrl, true); // the same message from the provider's window ends the payment
  await page.getByText("Nothing was charged, and your cart is kept.").waitFor();

  const elsewhere = createServer((_, answer) => answer.end("<title>Elsewhere</title>"));
  onTestFinished(() => void elsewhere.close());
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const opener = await context.newPage();
  await opener.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`);
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    opener.evaluate((url) => {
      Reflect.set(window, "shop", open(url));
    }, `${shop.url}/checkout`),
  ]);
  await payNow(opened).waitFor();
  expect(await opener.evaluate(() => (Reflect.get(window, "shop") as Window).closed)).toBe(true); // seen by the opener
  expect(await opened.evaluate(() => window.opener)).toBeNull();
  await context.close();
});

test("abroad Pay Now waits for a number of that country; a checkout in Nigeria loads nothing for it", async () => {
  const { page, context } = await readyToPay();
  const CHECK = /\/assets\/phone-abroad-/;
  const [asked, held] = [[] as string[], Promise.withResolvers<void>()];
  page.on("request", (request) => void (CHECK.test(request.url()) && asked.push(request.url())));
  await page.route(CHECK, (route) => held.promise.then(() => route.continue()));
  await page.reload({ waitUntil: "networkidle" });
  const field = (label: string) => page.getByRole("main").getByLabel(label, { exact: true });
  const isGrey = async () => (await payNow(page).getAttribute("aria-disabled")) === "true";
  await expect.poll(isGrey).toBe(false);
  expect(asked).toEqual([]);

  await field("Country").selectOption("United Kingdom");
  const typed = { Address: "1 High Street", City: "London", "Postal code": "E1 6AN", Phone: "+44 7911 123456" };
  for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
  await page.getByText("Next you choose how to pay.").waitFor();
  expect([await isGrey(), asked.length]).toEqual([true, 1]);
  held.resolve();
  await expect.poll(isGrey).toBe(false);
  await field("Phone").fill("12345678");
  await page.getByText("Still needed: a valid phone number.").waitFor();
  expect(await isGrey()).toBe(true);

  await page.unroute(CHECK);
  await page.route(CHECK, (route) => route.abort());
  await page.reload({ waitUntil: "networkidle" });
  await expect.poll(isGrey).toBe(false); // without the check any 5 to 15 digits will do, and the server decides
  await context.close();
});

test("what was typed is there after a reload, for the one who typed it", async () => {
  const { page, context } = await readyToPay();
  await page.reload();
  await expect.poll(() => street(page).inputValue()).toBe("1 Broad Street");
  await signInNew(context);
  await page.reload({ waitUntil: "networkidle" });
  expect(await page.getByRole("main").getByLabel("Phone").inputValue()).toBe("");
  await context.close();
});
