import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { newVisitor, seesAfter, WITH_WORKER } from "#tests/support/browser.ts";
import { endPayment, newCustomer, PASSWORD, pressPay } from "#tests/support/http-visitor.ts";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

// Sentences of the specification that no other file tests, and what a shopper's own browser does to the pages.

useShopInBrowser();

const JERSEY = "/singleProduct/unity-home-jersey";
const DESKTOP = { viewport: { width: 1440, height: 900 } };

async function visit(path: string, options?: BrowserContextOptions) {
  const { page, context, complaints } = await newVisitor(browser, options);
  await page.goto(shop.url + path, { waitUntil: "networkidle" });
  return { page, context, complaints };
}

const boxOf = async (page: Page, selector: string) => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
  return { x, y, width, height, bottom: y + height };
};

/** A guest with so many jerseys in the cart, on a page of the shop. */
async function guestWith(quantity: number, color = "Palm Green") {
  const { page, context } = await visit("/about", DESKTOP);
  const item = { id: "unity-home-jersey", title: "Unity Home Jersey", selectedSize: "XXL", price: 49.99 };
  await page.evaluate((cart) => localStorage.setItem("cart", cart), JSON.stringify([{ ...item, color, quantity }]));
  return { page, context };
}

async function logIn(page: Page, email: string): Promise<void> {
  const form = page.getByRole("main");
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Login", exact: true }).click();
}

async function signIn(context: BrowserContext, email: string, piece?: Record<string, string>) {
  const customer = await newCustomer(shop, email);
  if (piece) await customer.post("/Cart", { intent: "add", quantity: "1", ...piece });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  return customer;
}

describe("26 with a text size of the reader's own", () => {
  test.each([
    [1023, 20],
    [1024, 20],
    [1024, 24],
    [1440, 24],
  ])("one header is shown, at %i px with %i px", async (width, size) => {
    const { page, context } = await newVisitor(browser, { viewport: { width, height: 900 } });
    const session = await context.newCDPSession(page);
    await session.send("Page.enable");
    await session.send("Page.setFontSizes", { fontSizes: { standard: size } });
    await page.goto(shop.url + JERSEY);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${size}px`);
    const isLarge = width >= 1024;
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(isLarge);
    expect(await page.getByRole("navigation", { name: "Shop" }).isVisible()).toBe(!isLarge);
    expect((await boxOf(page, "main h1")).y).toBeGreaterThanOrEqual((await boxOf(page, "header")).bottom);
    expect(await page.locator("[data-foot-bar]").evaluate((bar) => getComputedStyle(bar).display)).toBe(
      isLarge ? "contents" : "flex",
    );
    await context.close();
  });
});

test("27 R61 what a registration has capped is said at the first login", async () => {
  const email = "sentences-27@example.com";
  const { page, context } = await guestWith(9);
  await page.goto(`${shop.url}/register`);
  const form = page.getByRole("main");
  await form.getByLabel("First name").fill("Ada");
  await form.getByLabel("Last name").fill("Obi");
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Create my account" }).click();
  await page.waitForURL("**/verifyMail");
  await page.goto(linkIn((await mailTo(shop.dataDir, email, /Verify/)).text, "/verification?oobCode="));
  await page.getByText("Email verified successfully! You can now log in.").waitFor();
  await page.goto(`${shop.url}/login`);
  await seesAfter(page, "Some items quantities were adjusted due to available stock", () => logIn(page, email));
  await context.close();
});

test("28 a guest's item whose colour was written otherwise is merged, and nothing is said to be sold out", async () => {
  const email = "sentences-28@example.com";
  await newCustomer(shop, email);
  const { page, context } = await guestWith(1, "Green");
  await page.goto(`${shop.url}/login`);
  await seesAfter(page, "Added to your cart: Unity Home Jersey", () => logIn(page, email));
  expect(await page.getByText("Just sold out").count()).toBe(0);
  await context.close();
});

test.each([
  [360, 640],
  [768, 1024],
  [1023, 700],
])("29 R62 at %i × %i px a product's bar stands above the navigation", async (width, height) => {
  const { page, context } = await visit(JERSEY, { viewport: { width, height } });
  const navigation = page.getByRole("navigation", { name: "Shop" });
  for (const name of ["Home", "Shop", "Cart", "Login"])
    expect(await navigation.getByRole("link", { name }).isVisible()).toBe(true);
  const bar = await boxOf(page, "[data-foot-bar]");
  const place = await navigation.boundingBox();
  expect([Math.round(bar.bottom), Math.round((place?.y ?? 0) + (place?.height ?? 0))]).toEqual([
    Math.round(place?.y ?? 0),
    height,
  ]);
  await context.close();
});

test("on a phone the footer is at most 420 px high", async () => {
  const { page, context } = await visit("/shop", { viewport: { width: 360, height: 640 } });
  expect((await page.getByRole("contentinfo").boundingBox())?.height).toBeLessThanOrEqual(420);
  await context.close();
});

test("the grid of products has up to 1680 px, and pages for signing in have a short footer", async () => {
  const { page, context } = await visit("/shop", { viewport: { width: 1920, height: 1080 } });
  const grid = await page.locator("main ul", { has: page.locator("picture") }).boundingBox();
  expect(Math.round(grid?.width ?? 0)).toBe(1680);
  for (const path of ["/login", "/register", "/forgotPassword", "/verifyMail", "/checkMail"]) {
    await page.goto(shop.url + path);
    expect((await page.getByRole("contentinfo").boundingBox())?.height, path).toBeLessThan(100);
  }
  await context.close();
});

describe("30 R60 nine tenths of the window", () => {
  test.each([
    [360, 640],
    [390, 844],
    [844, 390],
    [932, 430],
    [768, 1024],
    [1024, 768],
    [1280, 600],
    [1920, 1080],
  ])("are the hero's at %i × %i px", async (width, height) => {
    const { page, context } = await visit("/", { viewport: { width, height } });
    expect((await boxOf(page, ".campaign")).height).toBeCloseTo(0.9 * height, 0);
    await context.close();
  });

  test("are the greeting's and the hero's together", async () => {
    const { page, context } = await newVisitor(browser, DESKTOP);
    const customer = await signIn(context, "sentences-30@example.com", { id: "rings-tee", size: "M" });
    const reference = await endPayment((await pressPay(customer)).headers.get("location") ?? "", "success");
    await customer.get(`/order/${reference}`);
    for (const [width, height] of [
      [1440, 900],
      [1920, 1080],
      [1024, 768],
    ]) {
      await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
      await page.goto(shop.url);
      await page.getByText("Your order is in.").waitFor();
      expect((await boxOf(page, ".first-screen")).height).toBeCloseTo(0.9 * (height ?? 0), 0);
    }
    await context.close();
  });
});

test("31 R56 thumbnails beside the pictures mark the one in view, and lead to each", async () => {
  const { page, context } = await visit(JERSEY, DESKTOP);
  const thumbnails = page.getByRole("button", { name: /^Show picture/ });
  const marked = () => thumbnails.evaluateAll((all) => all.map((one) => one.getAttribute("aria-current")));
  const [first, picture] = [await thumbnails.first().boundingBox(), await boxOf(page, "[data-gallery] > li")];
  expect((first?.x ?? 0) + (first?.width ?? 0)).toBeLessThanOrEqual(picture.x);
  await expect.poll(marked).toEqual(["true", "false", "false"]);
  await thumbnails.nth(2).click();
  await expect.poll(marked).toEqual(["false", "false", "true"]);
  const last = await boxOf(page, "[data-gallery] > li:last-child");
  expect([last.y >= 0, last.bottom <= 900]).toEqual([true, true]);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(marked).toEqual(["true", "false", "false"]);
  await thumbnails.first().click();
  await page.getByRole("dialog", { name: "Large view" }).waitFor();
  await context.close();
});

test("32 R57 Add to Cart waits outlined until a size is chosen; Pay Now stays grey with a phone number that is none", async () => {
  const { page, context } = await visit(JERSEY);
  const look = (name: string | RegExp) =>
    page
      .getByRole("button", { name })
      .first()
      .evaluate((button) => getComputedStyle(button).backgroundColor);
  const INK = "rgb(23, 19, 14)";
  expect(await look("Choose a size")).toBe("rgba(0, 0, 0, 0)");
  await page.getByRole("radio", { name: "M", exact: true }).check({ force: true });
  await expect.poll(() => look("Add to Cart")).toBe(INK);
  await signIn(context, "sentences-32@example.com", { id: "rings-tee", size: "M" });
  await page.goto(`${shop.url}/checkout`);
  const form = page.getByRole("main");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Lagos");
  await form.getByLabel("Street and number").fill("1 Broad Street");
  const [GREY, BLUE] = ["rgb(154, 148, 138)", "rgb(29, 78, 216)"];
  await form.getByLabel("Phone").fill("0803");
  await page.getByText("Still needed: a valid phone number.").waitFor();
  await expect.poll(() => look(/^Pay Now/)).toBe(GREY);
  await form.getByLabel("Phone").fill("0803 123 4567");
  await expect.poll(() => look(/^Pay Now/)).toBe(BLUE);
  await context.close();
});

test("19 what a password manager writes without an event counts, and stays", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await signIn(context, "sentences-19@example.com", { id: "rings-tee", size: "M" });
  await page.goto(`${shop.url}/checkout`);
  const form = page.getByRole("main");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Lagos");
  const write = (label: string, words: string) =>
    form.getByLabel(label).evaluate((field: HTMLInputElement, words) => {
      field.value = words;
    }, words);
  await write("Phone", "08031234567");
  await write("Street and number", "1 Broad Street");
  await page.getByRole("button", { name: "Switch to naira" }).click(); // renders the form again, without an event in it
  await page.getByRole("button", { name: "Switch to dollars" }).waitFor();
  await form.getByLabel("Nearest landmark").fill("The church");
  await write("First name", "Adaeze");
  await page.getByRole("button", { name: /^Pay Now/ }).click();
  await page.getByRole("dialog").first().waitFor();
  const values = ["Phone", "Street and number", "First name"].map((label) => form.getByLabel(label).inputValue());
  expect(await Promise.all(values)).toEqual(["08031234567", "1 Broad Street", "Adaeze"]);
  await context.close();
});

test("39 a merge that is capped above what the guest had says on the line what it did, until that is changed", async () => {
  const email = "sentences-39-merge@example.com";
  const customer = await newCustomer(shop, email);
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "XXL", quantity: "4" });
  const { page, context } = await guestWith(5);
  await page.goto(`${shop.url}/login?next=/Cart`);
  await logIn(page, email);
  await page.waitForURL("**/Cart");
  const said = page.getByText("We’ve merged your two carts. You can buy up to 6 of this.");
  await said.waitFor();
  await page.getByRole("button", { name: /^One less/ }).click();
  await said.waitFor({ state: "detached" });
  await context.close();
});

test("39 who logs out on the account page sees at once that it is done, and nothing of the account", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await signIn(context, "sentences-39@example.com");
  await page.goto(`${shop.url}/account`);
  await page.clock.install();
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.getByRole("heading", { name: "You’re logged out" }).waitFor();
  expect(await page.getByText("sentences-39@example.com").count()).toBe(0);
  await context.close();
});

describe("20 offline", () => {
  const OFFLINE = /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED/; // the browser's own messages

  async function visitOnce(page: Page): Promise<void> {
    await page.goto(shop.url, { waitUntil: "networkidle" });
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.goto(shop.url + JERSEY, { waitUntil: "networkidle" });
  }

  test("what a guest adds is said and is in the cart, the size stays chosen, and all comes back with the network", async () => {
    const { page, context, complaints } = await newVisitor(browser, WITH_WORKER);
    await visitOnce(page);
    await page.getByRole("radio", { name: "M", exact: true }).check({ force: true });
    await context.setOffline(true);
    await seesAfter(page, "Added to your cart: Unity Home Jersey", () =>
      page.getByRole("button", { name: "Add to Cart" }).click(),
    );
    expect(await page.getByRole("radio", { name: "M", exact: true }).isChecked()).toBe(true);
    await page.getByRole("navigation", { name: "Shop" }).getByRole("link", { name: "Cart" }).click();
    await page.getByRole("heading", { name: "Your cart" }).waitFor();
    await page.getByText("1 × Unity Home Jersey, Palm Green, M").waitFor();
    await context.setOffline(false);
    await page.getByRole("link", { name: "Checkout" }).waitFor();
    await page.getByText("Palm Green / M").waitFor();
    expect(complaints.filter((line) => !OFFLINE.test(line))).toEqual([]);
    await context.close();
  });

  test("the drawer shows a guest's cart as the browser has it", async () => {
    const { page, context } = await newVisitor(browser, { ...DESKTOP, ...WITH_WORKER });
    await visitOnce(page);
    await page.getByRole("link", { name: /^CART/ }).click();
    await page.getByRole("dialog", { name: "CART" }).getByRole("button", { name: "Close" }).click();
    await page.getByRole("radio", { name: "M", exact: true }).check({ force: true });
    await context.setOffline(true);
    await seesAfter(page, "Added to your cart: Unity Home Jersey", () =>
      page.getByRole("button", { name: "Add to Cart" }).click(),
    );
    await page.getByRole("link", { name: /^CART/ }).click();
    await page.getByRole("dialog", { name: "CART" }).getByText("Palm Green / M").waitFor();
    await context.close();
  });
});

describe("54 without script", () => {
  const numbers = (html: string) => html.match(/CART \(\d+\)/g) ?? [];

  test("the cart has no number where none is known, and none is wrong on the page that says that it is paid", async () => {
    const customer = await newCustomer(shop, "sentences-54@example.com");
    await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "3" });
    expect(numbers(await (await customer.get("/account")).text())).toEqual(["CART (3)"]);
    for (const path of ["/", "/shop", JERSEY, "/about"])
      expect(numbers(await (await customer.get(path)).text())).toEqual([]);
    const reference = await endPayment((await pressPay(customer)).headers.get("location") ?? "", "success");
    const paid = await (await customer.get(`/order/${reference}`)).text();
    expect(paid).toContain("Payment successful! Order has been recorded.");
    expect(numbers(paid)).toEqual([]);
    expect(numbers(await (await customer.get("/account")).text())).toEqual(["CART (0)"]);
  });
});

describe("37 sentences of the specification, seen in a browser", () => {
  /** Runs `meanwhile` with a trigger that does this before each row is inserted. */
  async function withBroken(table: "sessions" | "cart_merges", does: string, meanwhile: () => Promise<void>) {
    const owner = ownerUrl(shop);
    await ask(owner, `create function broken() returns trigger language plpgsql as $$ begin ${does} end $$`);
    await ask(owner, `create trigger broken before insert on ${table} for each row execute function broken()`);
    await meanwhile();
    await ask(owner, "drop function broken cascade");
  }

  test("'We sent you a mail! Check your inbox'", async () => {
    const { page, context } = await visit("/forgotPassword", DESKTOP);
    await page.getByRole("main").getByLabel("Email").fill("nobody@example.com");
    await page.getByRole("button", { name: "RETRIEVE PASSWORD" }).click();
    await page.getByText("We sent you a mail! Check your inbox").first().waitFor();
    await context.close();
  });

  test("'Invalid transaction parameters' and 'Required parameter missing: accessCode'", async () => {
    const { page, context, complaints } = await newVisitor(browser, DESKTOP);
    await signIn(context, "sentences-37-parameters@example.com", { id: "rings-tee", size: "M" });
    await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
    await page.route("**/checkout.data*", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      const answer = await route.fetch();
      const body = (await answer.text()).replace(/("accessCode",")[a-z0-9]+"/, '$1"');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${shop.url}/checkout`);
    const form = page.getByRole("main");
    await form.getByLabel("Phone").fill("0803 123 4567");
    await form.getByLabel("Home Delivery").check();
    await form.getByLabel("State").selectOption("Lagos");
    await form.getByLabel("Street and number").fill("1 Broad Street");
    await page.getByRole("button", { name: /^Pay Now/ }).click();
    const payment = page.getByRole("dialog", { name: "Choose a Payment Method" });
    await payment.getByRole("button", { name: /^Card/ }).click();
    await payment.getByText("We couldn’t load the payment window. Nothing was charged.").waitFor();
    expect(complaints.join()).toMatch(/Invalid transaction parameters.*Required parameter missing: accessCode/);
    await context.close();
  });

  test("'Error merging cart items', at the login and on each later page, and the guest's cart stays", async () => {
    const email = "sentences-37-merge@example.com";
    await newCustomer(shop, email);
    const { page, context } = await guestWith(1);
    await page.goto(`${shop.url}/login`);
    await withBroken("cart_merges", "raise exception 'no merge';", async () => {
      await seesAfter(page, "Error merging cart items", () => logIn(page, email));
      const later = await context.newPage(); // nothing is said there but what it finds itself
      await seesAfter(later, "Error merging cart items", () => later.goto(`${shop.url}/about`));
    });
    expect(await page.evaluate(() => localStorage.getItem("cart"))).toContain("unity-home-jersey");
    await context.close();
  });

  test("'User data not found'", async () => {
    const email = "sentences-37-gone@example.com";
    await newCustomer(shop, email);
    const { page, context } = await visit("/login", DESKTOP);
    await withBroken("sessions", "delete from users where id = new.user_id; return null;", async () => {
      await logIn(page, email);
      await page.getByText("User data not found").waitFor();
    });
    await context.close();
  });
});
