import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { violations } from "#tests/support/axe.ts";
import { newVisitor, PAID, seesAfter, WITH_WORKER } from "#tests/support/browser.ts";
import { hasFocus } from "#tests/support/hands.ts";
import { endPayment, newCustomer, PASSWORD, pressPay } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const DESKTOP = { viewport: { width: 1440, height: 900 } };

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < 80; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never comes to ${target}`);
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

const KBIT = 1000 / 8;

test.each([
  ["with pictures on a fast network", false],
  ["without pictures on 400 kbit/s and 400 ms", true],
])(
  "by keyboard alone from home to the paid order, %s",
  async (_, slow) => {
    const email = `keys-${slow}@example.com`;
    await newCustomer(shop, email);
    // The requests of a service worker would not be slow.
    const { page, context, complaints } = await newVisitor(browser, {
      ...DESKTOP,
      ...(!slow && WITH_WORKER),
    });
    if (slow) {
      await context.route(/\.(avif|webp|jpg|svg|png)$/, (route) => route.abort());
      const network = { offline: false, latency: 400, downloadThroughput: 400 * KBIT, uploadThroughput: 400 * KBIT };
      await (await context.newCDPSession(page)).send("Network.emulateNetworkConditions", network);
    }
    await page.goto(shop.url, { waitUntil: "networkidle" });
    if (slow) {
      const [arrived, pictures] = await page.evaluate(() => [
        (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).responseEnd,
        [...document.images].filter((image) => image.naturalWidth > 0).length,
      ]);
      expect(arrived).toBeGreaterThan(400);
      expect(pictures).toBe(0);
    }
    await press(
      page,
      page.locator('[aria-roledescription="slide"]:not([inert])').getByRole("link", { name: "Shop Now" }),
    );
    await page.waitForURL("**/shop");
    await page.getByRole("heading", { name: "SHOP", level: 1 }).waitFor();
    await press(page, page.getByRole("link", { name: /^Unity Home Jersey/i }));
    await page.waitForURL("**/singleProduct/**");
    await press(page, page.getByRole("radio", { name: "S", exact: true }), "Space");
    await page.keyboard.press("ArrowRight");
    await press(page, page.getByRole("button", { name: "Add to Cart" }));
    const drawer = page.getByRole("dialog", { name: "CART" });
    await press(page, drawer.getByRole("link", { name: "CHECKOUT" }));
    const login = page.getByRole("dialog", { name: "Login" });
    await type(page, login.getByLabel("Email"), email);
    await type(page, login.getByLabel("Password", { exact: true }), PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/checkout");
    const form = page.getByRole("main");
    await press(page, form.getByLabel("Home Delivery"), "Space");
    await type(page, form.getByLabel("State"), "Lagos");
    await type(page, form.getByLabel("Street and number"), "1 Broad Street");
    await type(page, form.getByLabel("Phone"), "08031234567");
    await press(page, form.getByRole("button", { name: /^Pay Now/ }));
    await press(
      page,
      page.getByRole("dialog", { name: "Choose your currency" }).getByRole("button", { name: /naira/ }),
    );
    await press(
      page,
      page.getByRole("dialog", { name: "Choose a Payment Method" }).getByRole("button", { name: /^Card/ }),
    );
    const popup = page.frameLocator('iframe[id^="inline-checkout-"]');
    const pay = popup.getByRole("button", { name: "Pay success" });
    await seesAfter(page, PAID, () => press(page, pay));
    await page.waitForURL(`${shop.url}/`);
    expect(complaints.filter((line) => !/ERR_FAILED|Service Worker registration blocked/.test(line))).toEqual([]);
    await context.close();
  },
  180_000,
);

test("the focus is where the shopper was, or where what was done is to be seen", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/about`);
  await page.evaluate(() =>
    localStorage.setItem("cart", JSON.stringify([{ id: "unity-home-jersey", selectedSize: "M", quantity: 2 }])),
  );
  await page.goto(`${shop.url}/Cart`, { waitUntil: "networkidle" });
  const fewer = page.getByRole("button", { name: /^One less/ });
  await press(page, fewer);
  await expect.poll(() => fewer.getAttribute("aria-disabled")).toBe("true");
  await expect.poll(() => hasFocus(fewer)).toBe(true);
  await press(page, page.getByRole("button", { name: /^REMOVE/ }));
  const undo = page.getByRole("button", { name: "Undo" });
  await expect.poll(() => hasFocus(undo)).toBe(true);
  await press(page, undo);
  await expect.poll(() => hasFocus(page.getByRole("link", { name: "Unity Home Jersey" }))).toBe(true);
  await press(page, page.getByRole("link", { name: "Continue Shopping" }));
  await page.waitForURL("**/shop");
  await expect.poll(() => hasFocus(page.locator("#main"))).toBe(true);
  await page.goto(`${shop.url}/singleProduct/harmattan-zigzag-jersey`, { waitUntil: "networkidle" });
  await type(page, page.getByLabel("Email").first(), "ada@example.com");
  await page.keyboard.press("Enter");
  await expect.poll(() => hasFocus(page.getByText(/^Please open the link in the email/))).toBe(true);
  await context.close();
});

type Wrong = { form: string; at: string; open?(page: Page): Promise<unknown>; button: string; field: string };

const WRONG: Wrong[] = [
  { form: "register", at: "/register", button: "Create my account", field: "First name" },
  { form: "login", at: "/login", button: "Login", field: "Email" },
  {
    form: "login dialog",
    at: "/Cart",
    open: async (page) => {
      const line = { id: "unity-home-jersey", selectedSize: "M", quantity: 1 };
      await page.evaluate((cart) => localStorage.setItem("cart", cart), JSON.stringify([line]));
      await page.reload({ waitUntil: "networkidle" });
      await page.getByRole("main").getByRole("link", { name: "Checkout" }).click();
    },
    button: "Login",
    field: "Email",
  },
  { form: "forgotten password", at: "/forgotPassword", button: "RETRIEVE PASSWORD", field: "Email" },
  { form: "new password", at: "/resetPassword?oobCode=none", button: "RESET PASSWORD", field: "New password" },
  {
    form: "password in the account",
    at: "/account",
    open: (page) => page.getByRole("heading", { name: "Password", exact: true }).click(),
    button: "Change password",
    field: "Current password",
  },
  {
    form: "account's end, which loads the page anew",
    at: "/account",
    open: (page) => page.getByRole("heading", { name: "My data" }).click(),
    button: "Delete my account",
    field: "Your password",
  },
  {
    form: "mail about a size",
    at: "/singleProduct/unity-away-jersey",
    open: (page) => page.getByText("Your size sold out?").click(),
    button: "Tell me when XXL is back",
    field: "Email",
  },
];

test.each(WRONG)("each answer leads to the first wrong field: $form", async ({ form, at, open, button, field }) => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 320, height: 256 } });
  if (at === "/account") {
    const { cookies } = await newCustomer(shop, `wrong-${form.length}@example.com`);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  }
  await page.goto(shop.url + at, { waitUntil: "networkidle" });
  await open?.(page);
  const place = form === "login dialog" ? page.getByRole("dialog", { name: "Login" }) : page.getByRole("main");
  const wrong = place.getByLabel(field, { exact: true }).and(page.locator('[aria-invalid="true"]'));
  for (let time = 0; time < 2; time++) {
    await place.getByRole("button", { name: button, exact: true }).click();
    await wrong.waitFor();
    await expect.poll(() => hasFocus(wrong)).toBe(true);
  }
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test("what a toast says is said in the dialog that is open, too: screen readers hear nothing from outside of it", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/about`);
  await page.evaluate(() =>
    localStorage.setItem("cart", JSON.stringify([{ id: "unity-home-jersey", selectedSize: "XXL", quantity: 50 }])),
  );
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("banner").getByRole("link", { name: /^CART/ }).click();
  const cart = page.getByRole("dialog", { name: "CART" });
  await cart.getByRole("button", { name: /^One more/ }).press("Enter");
  await cart.getByRole("status").filter({ hasText: "Cannot exceed available stock for this size" }).waitFor();
  await context.close();
});

test("the account's menu stays open under a press that gives it no focus, as in Safari, and closes by Esc, beside it and with its page", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  const customer = await newCustomer(shop, "menu@example.com");
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
  const name = page.getByRole("banner").locator("summary");
  const entry = page.getByRole("link", { name: "My Account" });
  await name.click();
  await name.evaluate((summary) => summary.blur());
  await entry.click();
  await page.waitForURL("**/account");
  await entry.waitFor({ state: "hidden" });
  await name.click();
  await page.keyboard.press("Escape");
  await entry.waitFor({ state: "hidden" });
  await expect.poll(() => hasFocus(name)).toBe(true);
  await name.click();
  await entry.waitFor();
  await page.getByRole("main").click({ position: { x: 5, y: 5 } });
  await entry.waitFor({ state: "hidden" });
  await context.close();
});

test("whoever wants less motion gets none: the hero stands, nothing slides", async () => {
  const { page, context } = await newVisitor(browser, { ...DESKTOP, reducedMotion: "reduce" });
  await page.goto(shop.url, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Play the slides" }).waitFor();
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("body *")].filter(
        (element) => getComputedStyle(element).transitionDuration !== "0s",
      ).length,
  );
  expect(moving).toBe(0);
  await context.close();
});

test("with colours of the reader's own, what stands out by its ground has a border", async () => {
  const { page, context } = await newVisitor(browser, { forcedColors: "active" });
  for (const [path, place] of [
    ["/", page.getByRole("link", { name: "Shop Now" }).first()],
    [
      "/shop",
      page
        .getByRole("link", { name: /^Unity Home Jersey/i })
        .locator(".rounded-cut")
        .first(),
    ],
    ["/shop", page.getByLabel("Search")],
    ["/singleProduct/unity-home-jersey", page.getByRole("button", { name: "Add to Cart" })],
  ] as const) {
    await page.goto(shop.url + path, { waitUntil: "networkidle" });
    expect([path, await place.evaluate((element) => getComputedStyle(element).borderTopWidth)]).toEqual([path, "1px"]);
  }
  await context.close();
});

test("whoever saves data gets small pictures, a hero that stands, and nothing fetched ahead", async () => {
  const { page, context } = await newVisitor(browser, {
    ...DESKTOP,
    deviceScaleFactor: 3,
    extraHTTPHeaders: { "Save-Data": "on" },
  });
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const widths: Promise<number | undefined>[] = [];
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("response", (response) => {
    if (/\/images\//.test(response.url()) && response.ok())
      widths.push(response.body().then(async (body) => (await sharp(body).metadata()).width));
  });
  await page.goto(shop.url, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Play the slides" }).waitFor();
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  await meansToGoTo(page, /^Unity Home Jersey/i);
  const got = await Promise.all(widths);
  expect(got.length).toBeGreaterThan(3);
  expect(Math.max(...got.map((width) => width ?? 0))).toBeLessThanOrEqual(480);
  expect(asked.filter((url) => url.includes("/singleProduct/"))).toEqual([]);
  await context.close();
});

test("what a shopper means to go to is fetched ahead", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  await meansToGoTo(page, /^Unity Home Jersey/i);
  expect(asked.filter((url) => url.includes("/singleProduct/"))).toHaveLength(1);
  await context.close();
});

/** Rests the mouse on a link long enough for the page behind it to be fetched ahead. */
async function meansToGoTo(page: Page, name: RegExp): Promise<void> {
  await page.clock.install();
  await page.getByRole("link", { name }).hover();
  await page.clock.runFor(1000);
  await page.evaluate(() => new Promise((drawn) => requestIdleCallback(drawn)));
}

test("the header becomes lower while the page is scrolled, and nothing is laid out anew", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  const seen = () => page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().bottom);
  /** The layout position of every element in the page, which scrolling and painting elsewhere do not change. */
  const layout = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("header *, main, main *")].map((element) =>
        [element.tagName, element.offsetLeft, element.offsetTop, element.offsetWidth, element.offsetHeight].join(" "),
      ),
    );
  const before = await layout();
  await page.evaluate(() => scrollTo(0, 400));
  await expect.poll(seen).toBeLessThan(52);
  expect(await layout()).toEqual(before);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(seen).toBeGreaterThan(60);
  await context.close();
});

test("a receipt prints what was bought and nothing else", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  const customer = await newCustomer(shop, "print@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  const started = await pressPay(customer);
  const reference = await endPayment(started.headers.get("location") ?? "", "success");
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.goto(`${shop.url}/order/${reference}`, { waitUntil: "networkidle" });
  await page.emulateMedia({ media: "print" });
  const printed = await page.evaluate(() => document.body.innerText);
  expect(printed).toMatch(/IREPO[\s\S]*Thank you[\s\S]*LINKED RINGS TEE[\s\S]*Total[\s\S]*Lagos/);
  expect(printed).not.toMatch(/Subscribe|Continue Shopping|Demo|Home\n/);
  await context.close();
});
