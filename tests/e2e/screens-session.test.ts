import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newVisitor, seesAfter } from "#tests/support/browser.ts";
import {
  endPayment,
  newVisitor as newBrowser,
  newCustomer,
  PASSWORD,
  pressPay,
  type Visitor,
} from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const JERSEY = { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1" };

const count = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^CART/ }).textContent();

async function addInM(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
}

test.each<[string, () => void]>([
  [
    "refuses its storage",
    () =>
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      }),
  ],
  [
    "has no room left",
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("Exceeded the quota.", "QuotaExceededError");
      };
    },
  ],
])("in a browser that %s every page holds, and a piece is in the cart of this visit", async (_, spoil) => {
  const { page, context, complaints } = await newVisitor(browser, DESKTOP);
  await page.addInitScript(spoil);
  await page.goto(shop.url, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: /^Currency/ }).click();
  await page.getByRole("button", { name: /naira/ }).click();
  await page.getByRole("button", { name: "Currency: NGN" }).waitFor();
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  await addInM(page);
  const cart = page.getByRole("dialog", { name: "CART" });
  await cart.getByLabel(/^Quantity of Unity Home/).waitFor();
  await page.getByText("it will be gone after a reload").waitFor(); // 14
  await expect.poll(() => count(page)).toBe("CART (1)");
  await cart.getByRole("link", { name: "CHECKOUT" }).click();
  await page.getByRole("dialog", { name: "Login" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

/** A signed-in shopper in a browser that knows of the session, and the same shopper on another device. */
async function signedIn(name: string, pieces: Record<string, string>[] = []) {
  const email = `${name}@example.com`;
  const here = await newCustomer(shop, email);
  const elsewhere = newBrowser(shop.url);
  await elsewhere.post("/login", { email, password: PASSWORD });
  for (const piece of pieces) await elsewhere.post("/Cart", piece);
  const { page, context } = await newVisitor(browser, DESKTOP);
  await context.addCookies([...here.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.goto(`${shop.url}/about`);
  await page.waitForFunction(() => localStorage.getItem("cartUserId"));
  /** Ends the session without the browser's knowledge, as from another device or after long disuse. */
  const endSession = () => here.post("/logout", {});
  return { page, context, email, elsewhere, endSession };
}

async function fillLogin(form: Locator, email: string): Promise<void> {
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Login", exact: true }).click();
}

async function logIn(page: Page, email: string): Promise<void> {
  const form = page.getByRole("dialog", { name: "Login" });
  await fillLogin(form, email);
  await form.waitFor({ state: "hidden" });
}

const quantity = (page: Page) => page.getByLabel(/^Quantity of Unity Home/).textContent();

/** Far less than the time after which a page without a stream would ask. */
const SOON = { timeout: 20_000 };

async function followsChangesOf(elsewhere: Visitor, page: Page): Promise<void> {
  await elsewhere.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "3" });
  await page.getByText("Linked Rings Tee").first().waitFor(SOON);
}

describe("a session that has ended meanwhile", () => {
  test("is begun again on /Cart, where the cart is then as it was, and follows what happens elsewhere", async () => {
    const { page, context, email, elsewhere, endSession } = await signedIn("ended-cart", [JERSEY]);
    await page.goto(`${shop.url}/Cart`, { waitUntil: "networkidle" });
    await endSession();
    await page.reload();
    await page.getByText("You’ve been logged out. Please log in to continue.").waitFor();
    await logIn(page, email);
    await expect.poll(() => quantity(page)).toBe("1");
    await followsChangesOf(elsewhere, page);
    await context.close();
  });

  test("is begun again where a quantity was to change, which is not said to have changed", async () => {
    const { page, context, email, elsewhere, endSession } = await signedIn("ended-plus", [JERSEY]);
    await page.goto(`${shop.url}/Cart`, { waitUntil: "networkidle" });
    const more = page.getByRole("button", { name: /^One more: Unity Home/ });
    await more.waitFor();
    await endSession();
    await more.click();
    await page.getByText("You’ve been logged out, so your cart wasn’t changed.").waitFor();
    await logIn(page, email);
    await expect.poll(() => quantity(page)).toBe("1");
    await more.click();
    await expect.poll(async () => (await (await elsewhere.get("/api/cart")).json()).lines[0].quantity).toBe(2);
    await followsChangesOf(elsewhere, page);
    await context.close();
  });

  test("is begun again where something was added, and that is then in the cart", async () => {
    const { page, context, email, elsewhere, endSession } = await signedIn("ended-add");
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
    await endSession();
    await addInM(page);
    await page.getByText("You’ve been logged out. Please log in to continue.").waitFor();
    await seesAfter(page, "Added to your cart: Unity Home Jersey", () => logIn(page, email));
    await expect.poll(() => count(page)).toBe("CART (1)");
    await elsewhere.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "3" });
    await expect.poll(() => count(page), SOON).toBe("CART (4)");
    expect(new URL(page.url()).pathname).toBe("/singleProduct/unity-home-jersey");
    await context.close();
  });
});

test("what was added on a page that was left as the session ended is in the cart after the next login", async () => {
  const { page, context, email, endSession } = await signedIn("left-add");
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  await page.evaluate(() => {
    window.fetch = () => new Promise(() => {}); // requests from now on get no answer
  });
  await addInM(page);
  await endSession();
  await page.goto(`${shop.url}/about`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("cart"))).toContain("Unity Home Jersey");
  await page.goto(`${shop.url}/login`, { waitUntil: "networkidle" });
  await seesAfter(page, "Added to your cart: Unity Home Jersey", () => fillLogin(page.getByRole("main"), email));
  await expect.poll(() => count(page)).toBe("CART (1)");
  await context.close();
});

test("a logout that the shop could not do is not said to be one", async () => {
  const { page, context } = await signedIn("stays");
  await page.route("**/logout", (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(`${shop.url}/account`, { waitUntil: "networkidle" });
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.getByText("We can’t do this right now. Please try again in a moment.").waitFor();
  expect(await page.evaluate(() => localStorage.getItem("user"))).toContain("stays@example.com");
  await context.close();
});

test("S32 after a logout no other tab shows the account, an order or the checkout any more", async () => {
  const { page, context, elsewhere } = await signedIn("leaves", [JERSEY]);
  const payPage = (await pressPay(elsewhere)).headers.get("location") ?? "";
  const reference = await endPayment(payPage, "success");
  const order = await context.newPage();
  await order.goto(`${shop.url}/order/${reference}`);
  await order.getByText("1 Broad Street").waitFor();
  const account = await context.newPage();
  await account.goto(`${shop.url}/account`);
  await account.getByText("leaves@example.com").waitFor();
  await elsewhere.post("/Cart", JERSEY);
  const checkout = await context.newPage();
  await checkout.goto(`${shop.url}/checkout`);
  await checkout.getByRole("heading", { name: "SHIPPING" }).waitFor();
  await page.goto(`${shop.url}/account`);
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await checkout.getByText("Hello, You need to log in to check out seamlessly").waitFor();
  await account.getByText("User not Logged in").waitFor();
  await order.getByText("Please log in to see your order.").waitFor();
  expect(await account.getByText("leaves@example.com").count()).toBe(0);
  const kept = () => ["user", "cartUserId", "cart"].map((name) => localStorage.getItem(name));
  await expect.poll(() => page.evaluate(kept)).toEqual([null, null, null]);
  expect(await order.getByText("1 Broad Street").count()).toBe(0);
  await context.close();
});

test("Back after a logout does not bring the account from the browser's memory", async () => {
  const { page, context, endSession } = await signedIn("goes-back");
  await page.goto(`${shop.url}/account`);
  await page.getByText("goes-back@example.com").waitFor();
  await page.getByRole("banner").getByText("Ada").waitFor(); // the header shows what is stored
  // As in a browser that restores whole pages (back/forward cache): the page hears nothing of what happens meanwhile.
  await endSession();
  await page.evaluate(() => {
    localStorage.clear();
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await page.getByText("User not Logged in").waitFor();
  await context.close();
});

test("a tab that was a guest's follows the cart when another tab signs in, also in the open drawer", async () => {
  const email = "other-tab@example.com";
  const elsewhere = await newCustomer(shop, email);
  await elsewhere.post("/Cart", JERSEY);
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(shop.url);
  await page.getByRole("banner").getByRole("link", { name: /^CART/ }).click();
  const drawer = page.getByRole("dialog", { name: "CART" });
  await drawer.getByText("Your cart is empty").waitFor();
  const other = await context.newPage();
  await other.goto(`${shop.url}/login`);
  await fillLogin(other.getByRole("main"), email);
  await page.getByRole("banner").getByText("Ada").waitFor();
  await drawer.getByText("Unity Home Jersey").waitFor(SOON);
  await other.close();
  await elsewhere.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "3" });
  await expect.poll(() => count(page), SOON).toBe("CART (4)");
  await context.close();
});

test("a guest who adds in one tab what another one logs in without loses nothing, whether before or during the login", async () => {
  const email = "two-tabs@example.com";
  const elsewhere = await newCustomer(shop, email);
  const { page, context } = await newVisitor(browser, DESKTOP);
  const other = await context.newPage();
  const add = async (path: string) => {
    await other.goto(`${shop.url}/singleProduct/${path}`, { waitUntil: "networkidle" });
    await addInM(other);
    await other.getByRole("dialog", { name: "CART" }).waitFor();
  };
  await page.goto(`${shop.url}/login`, { waitUntil: "networkidle" });
  await add("unity-home-jersey");
  const [asked, added] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/login\.data/, async (route) => {
    asked.resolve();
    await added.promise;
    await route.continue();
  });
  await fillLogin(page.getByRole("main"), email);
  await asked.promise;
  await add("rings-tee");
  added.resolve();
  await page.waitForURL(`${shop.url}/`);
  await expect.poll(() => count(page)).toBe("CART (2)");
  const inAccount = async () => {
    const { lines } = await (await elsewhere.get("/api/cart")).json();
    return lines.map(({ id, quantity }: { id: string; quantity: number }) => `${id} ${quantity}`).sort();
  };
  await expect.poll(inAccount).toEqual(["rings-tee 1", "unity-home-jersey 1"]);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("cart"))).toBeNull();
  await context.close();
});
