import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { KEPT } from "#app/content/kept.ts";
import { newVisitor, PAID, seesAfter, WITH_WORKER } from "#tests/support/browser.ts";
import { hasFocus } from "#tests/support/hands.ts";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();
beforeEach(withinOneDay);

const PASSWORD = "harmony";

async function register(form: Locator, email: string): Promise<void> {
  await form.getByLabel("First name").fill("Ada");
  await form.getByLabel("Last name").fill("Obi");
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Create my account" }).click();
}

async function verify(page: Page, email: string): Promise<void> {
  const mail = await mailTo(shop.dataDir, email, /Verify/);
  await page.goto(linkIn(mail.text, "/verification?oobCode="));
}

async function logIn(page: Page, email: string): Promise<void> {
  const form = page.getByRole("main");
  await form.getByRole("heading", { name: "Login" }).waitFor();
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Login", exact: true }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.goto(`${shop.url}/account`);
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL(`${shop.url}/`);
  await page.goto(`${shop.url}/account`);
  await page.getByRole("main").getByRole("link", { name: "Login" }).waitFor();
}

/** What is stored in the browser and missing in the list that shoppers read. */
async function unlisted(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies(shop.url);
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  const listed = KEPT.flatMap(({ names }) => names);
  return [...cookies.map(({ name }) => name), ...stored].filter((name) => !listed.includes(name));
}

async function fillShipping(page: Page): Promise<void> {
  const form = page.getByRole("main");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Lagos");
  await form.getByLabel("Street and number").fill("1 Broad Street");
  await form.getByLabel("Phone").fill("+234 803 123 4567");
}

describe("the whole way of a shopper", () => {
  test.each([
    ["a phone", 390],
    ["a desktop", 1440],
  ])(
    "S34 from home to the order in the account, on %s",
    async (_, width) => {
      const email = `ada-${width}@example.com`;
      const { page, complaints } = await newVisitor(browser, { ...WITH_WORKER, viewport: { width, height: 900 } });

      await page.goto(shop.url);
      await page.getByRole("link", { name: "Shop Now" }).first().click();
      await page.waitForURL("**/shop");
      await page.getByRole("heading", { name: "SHOP" }).waitFor();
      await page.getByRole("link", { name: /Unity Home Jersey/i }).click();
      await page.waitForURL("**/singleProduct/unity-home-jersey");
      expect(await page.getByRole("button", { name: "Choose a size" }).getAttribute("aria-disabled")).toBe("true");
      await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
      await page.getByRole("button", { name: "One more" }).first().click();
      await page.getByRole("button", { name: "Add to Cart" }).click();

      if (width < 1024) await page.waitForURL("**/Cart");
      else await page.getByRole("dialog", { name: "CART" }).waitFor();
      await page.getByText("Shipping & taxes calculated at checkout").waitFor();
      expect(JSON.parse((await page.evaluate(() => localStorage.getItem("cart"))) ?? "")).toMatchObject([
        { id: "unity-home-jersey", selectedSize: "M", quantity: 2, price: 49.99 },
      ]);
      await page.getByRole("link", { name: /^checkout$/i }).click();
      await page.getByText("Please log in to continue to checkout").waitFor();
      const dialog = page.getByRole("dialog", { name: "Login" });
      await dialog.getByRole("link", { name: "Create one" }).click();
      const account = page.getByRole("dialog", { name: "Create account" });
      await account.getByRole("link", { name: "Log in" }).click();
      await dialog.getByRole("link", { name: "Create one" }).click();
      await seesAfter(page, "Verification Email sent. Please check your inbox", () => register(account, email));
      await page.waitForURL("**/verifyMail");
      await account.waitFor({ state: "detached" });
      await page.getByText("Verfication Email sent. Please check your inbox").waitFor();
      await page.getByRole("link", { name: "I have verified my account" }).click();
      await logIn(page, email);
      await page.getByText("Please verify your email before logging in").waitFor();
      await verify(page, email);
      await page.getByText("Email verified successfully! You can now log in.").waitFor();
      await page.getByRole("link", { name: "Login", exact: true }).last().click();
      await seesAfter(page, "Welcome, Login Successful!", () => logIn(page, email));
      await page.waitForURL("**/checkout"); // the page requested before signing in
      expect(await page.evaluate(() => [localStorage.getItem("cart"), localStorage.getItem("user")])).toEqual([
        null,
        expect.stringContaining('"firstName":"Ada"'),
      ]);

      const payNow = page.getByRole("button", { name: /^Pay Now/ });
      expect(await payNow.isDisabled()).toBe(true);
      await page.getByText("Still needed: your delivery type and your phone number.").waitFor();
      await payNow.press("Enter");
      await page.getByText("Please enter your delivery type.").waitFor();
      await expect.poll(() => hasFocus(page.getByLabel("Home Delivery"))).toBe(true);
      await fillShipping(page);
      await expect.poll(() => payNow.isEnabled()).toBe(true);
      await page.getByText("Prices in dollars.").waitFor();
      await payNow.click();
      await page
        .getByRole("dialog", { name: "Choose your currency" })
        .getByRole("button", { name: "US dollars ($)" })
        .click();
      const payment = page.getByRole("dialog", { name: "Choose a Payment Method" });
      await payment.getByText("Paystack payments are only available for Nigerian Naira (NGN) transactions").waitFor();
      expect(await payment.getByRole("button", { name: "Crypto (Not available)" }).isDisabled()).toBe(true);
      await payment.getByRole("button", { name: "Pay in naira (NGN)" }).click();
      const card = payment.getByRole("button", { name: /^Card/ });
      await expect.poll(() => hasFocus(card)).toBe(true);
      await card.click();
      const popup = page.frameLocator('iframe[id^="inline-checkout-"]');
      await popup.getByRole("button", { name: "Decline" }).click();
      await popup.getByText("Please try another card").waitFor();
      await seesAfter(page, PAID, () => popup.getByRole("button", { name: "Pay success" }).click());
      await page.waitForURL(`${shop.url}/`);

      const greeting = page.getByRole("region", { name: "Thank you, Ada. Your order is in." });
      await greeting.getByText(/Order IR-\w{4}-\w\w\. ₦165,568 paid today/).waitFor();
      for (const step of ["Paid", "We pack it", "It travels to you"])
        await greeting.getByText(step, { exact: true }).waitFor();
      expect(await unlisted(page)).toEqual([]);
      await page.reload();
      await greeting.getByRole("link", { name: "See your order" }).click();
      await page.waitForURL("**/order/**"); // the greeting has the same heading
      await page.getByRole("heading", { name: "Thank you, Ada. Your order is in." }).waitFor();
      await page.goto(shop.url);
      await greeting.getByRole("button", { name: "Dismiss" }).click();
      await greeting.waitFor({ state: "detached" });
      await page.waitForLoadState(); // the button is a form that loads the page again

      const confirmation = await mailTo(shop.dataDir, email, /order/i);
      expect(confirmation.text).toContain("Unity Home Jersey");
      await page.goto(`${shop.url}/account`);
      await page.getByText("Welcome, Ada!").waitFor();
      await page.getByText("completed").first().waitFor();
      await page.goto(`${shop.url}/Cart`);
      await page.getByText("Add something to your cart").waitFor();
      await logOut(page);
      expect(complaints).toEqual([]);
    },
    180_000,
  );

  test("with script switched off", async () => {
    const email = "eze@example.com";
    const { page, complaints } = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey`);
    await page.getByRole("group", { name: "Size" }).getByText("L", { exact: true }).click();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.waitForURL("**/Cart");
    await page.getByRole("button", { name: /^One more/ }).click();
    await page.getByLabel("Quantity of Unity Home Jersey, L").getByText("2", { exact: true }).waitFor();

    await page.goto(`${shop.url}/register`);
    await register(page.getByRole("main"), email);
    await page.waitForURL("**/verifyMail");
    await verify(page, email);
    await page.getByRole("button", { name: "Verify my email" }).click();
    await page.getByText("Email verified successfully! You can now log in.").waitFor();
    await page.goto(`${shop.url}/Cart`);
    await page.getByRole("link", { name: "Checkout" }).click();
    await page.getByRole("main").getByRole("link", { name: "Login" }).click();
    await logIn(page, email);
    await page.waitForURL("**/checkout");
    await fillShipping(page);
    await page.getByRole("button", { name: /^Pay Now/ }).click();
    await page.getByRole("status").filter({ hasText: "With delivery the total is ₦165,568." }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Pay Now ₦165,568" }).click();
    await page.waitForURL(`${shop.sandboxUrl}/**`);
    await page.getByRole("button", { name: "Pay success" }).click();
    await page.waitForURL("**/order/**");
    await page.getByRole("heading", { name: "Thank you, Ada. Your order is in." }).waitFor();
    await page.getByText("Order has been recorded").waitFor();
    await page.goto(shop.url);
    await page.getByRole("heading", { name: "Thank you, Ada. Your order is in." }).waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.waitForURL(`${shop.url}/`);
    expect(await page.getByText("Your order is in.").count()).toBe(0);
    await page.goto(`${shop.url}/account`);
    await page.getByText("completed").first().waitFor();
    await logOut(page);
    expect(complaints).toEqual([]);
  }, 120_000);
});
