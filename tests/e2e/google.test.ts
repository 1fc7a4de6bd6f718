import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import * as messages from "#app/messages.ts";
import { ask } from "#tests/support/ask-database.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { newCustomer, newVisitor as newHttpVisitor, PASSWORD } from "#tests/support/http-visitor.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const signIn = (page: Page) => page.getByRole("main").getByRole("button", { name: "Sign in with Google" });
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

/** Types a name and an address at the provider, as somebody with an account there. */
async function agree(at: Page, name: string, email: string): Promise<void> {
  await at.getByRole("heading", { name: "Sign in to Irepo" }).waitFor();
  await at.getByLabel("Name").fill(name);
  await at.getByLabel("Email").fill(email);
  await at.getByRole("button", { name: "Continue" }).click();
}

async function openPopup(page: Page, context: BrowserContext): Promise<Page> {
  const opened = context.waitForEvent("page");
  await signIn(page).click();
  const popup = await opened;
  await popup.getByRole("heading", { name: "Sign in to Irepo" }).waitFor();
  return popup;
}

const stored = (page: Page) =>
  page.evaluate(() => ({
    user: JSON.parse(localStorage.getItem("user") ?? "null"),
    cartUserId: localStorage.getItem("cartUserId"),
    cart: localStorage.getItem("cart"),
    all: JSON.stringify({ ...localStorage, ...sessionStorage }),
  }));

async function addToGuestCart(page: Page, id: string): Promise<void> {
  await page.goto(`${shop.url}/singleProduct/${id}`);
  await page.getByRole("radio", { name: "M", exact: true }).check({ force: true });
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByText("Shipping & taxes calculated at checkout").first().waitFor();
}

/** Time stands still from now on, in all windows of a page that was opened on a clock. */
async function stopClock(page: Page): Promise<void> {
  const MINUTE = 60_000; // a clock does not go back to where a busy machine has left it
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + MINUTE);
}

/** On a clock that stands, 2 s pass before the page is left. */
async function leavesAfter2s(page: Page, to: string): Promise<void> {
  const from = page.url();
  await page.clock.runFor(1900);
  await page.evaluate(() => fetch("/robots.txt")); // would not be answered by a page that is left
  expect(page.url()).toBe(from);
  await page.clock.runFor(200);
  await page.waitForURL(to);
}

const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === "irepo.session");

describe("in a popup", () => {
  test("S32 makes the account with first and last name, brings the guest cart along and goes on, without a token for scripts", async () => {
    const { page, context, complaints } = await newVisitor(browser, { viewport: { width: 1440, height: 900 } });
    await addToGuestCart(page, "rings-tee");
    await page.clock.install();
    await page.goto(`${shop.url}/login`, { waitUntil: "networkidle" });
    const popup = await openPopup(page, context);
    await stopClock(page);
    await agree(popup, "Ada Ngozi Obi", "ada@example.com");
    await said(page, "Successfully signed in with Google!");
    await said(page, "Added to your cart: Linked Rings Tee");
    await leavesAfter2s(page, `${shop.url}/`);
    expect(popup.isClosed()).toBe(true);
    const { user, cartUserId, cart, all } = await stored(page);
    expect(user).toEqual({
      uid: expect.any(String),
      email: "ada@example.com",
      emailVerified: true,
      firstName: "Ada",
      lastName: "Ngozi Obi",
    });
    expect([cartUserId, cart]).toEqual([user.uid, null]);
    // Only the server may read the token.
    const cookie = await sessionCookie(context);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
    expect(all).not.toContain(cookie?.value);
    await page.goto(`${shop.url}/Cart`);
    await page.getByText("Rings Tee").first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("closed without a word, and gone back at the provider: cancelled, and nobody is signed in", async () => {
    const { page, context } = await newVisitor(browser);
    await page.goto(`${shop.url}/login`, { waitUntil: "networkidle" });
    await (await openPopup(page, context)).close();
    await said(page, "Sign in cancelled by user");
    await page.goto(`${shop.url}/register`, { waitUntil: "networkidle" });
    await (await openPopup(page, context)).getByRole("button", { name: "Cancel" }).click();
    await said(page, "Sign in cancelled by user");
    expect(await sessionCookie(context)).toBeUndefined();
  });

  test.each([
    ["login", "Failed to sign in with Google"],
    ["register", "Failed to sign in with Google. Please try again."],
  ])("a sign-in that comes to nothing is said on %s as specified", async (form, text) => {
    const { page } = await newVisitor(browser);
    await page.goto(`${shop.url}/${form}`, { waitUntil: "networkidle" });
    const popup = await openPopup(page, page.context());
    // The answer comes to a browser that has not begun the sign-in: the state's cookie is missing.
    await page.context().clearCookies({ name: "irepo.google" });
    await agree(popup, "Eve", "eve@example.com");
    await said(page, text);
  });
});

test("on the whole page where the browser opens no popup", async () => {
  const { page } = await newVisitor(browser);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.clock.install();
  await page.goto(`${shop.url}/login?next=/account`, { waitUntil: "networkidle" });
  await stopClock(page);
  await signIn(page).click();
  await agree(page, "Bola", "bola@example.com");
  await said(page, "Successfully signed in with Google!");
  await page.getByRole("status").filter({ hasText: "Successfully signed in with Google!" }).nth(1).waitFor();
  await leavesAfter2s(page, `${shop.url}/account`);
  await page.getByText("Welcome, Bola!").waitFor();
});

test("without script", async () => {
  const { page } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.goto(`${shop.url}/login?next=/account`);
  await signIn(page).click();
  await agree(page, "Chidi Eze", "chidi@example.com");
  await page.waitForURL(`${shop.url}/account`);
  await page.getByText("Welcome, Chidi!").waitFor();
});

test("asked for the account's password, a wrong one is marked at its field until it is changed", async () => {
  const email = "asked@example.com";
  await newCustomer(shop, email);
  // As accounts from before the shop noted who had proved a password.
  await ask(
    ownerUrl(shop),
    `update accounts set proved = false where user_id = (select id from users where email = '${email}')`,
  );
  const { page } = await newVisitor(browser);
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${shop.url}/login?next=/account`, { waitUntil: "networkidle" });
  await signIn(page).click();
  await agree(page, "Ada Obi", email);
  const password = page.getByLabel("Your password");
  await password.fill("melodious");
  await page.getByRole("button", { name: "Keep it and sign in" }).click();
  await said(page, messages.googleLink.wrongPassword);
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true);
  await password.fill(PASSWORD);
  expect(await page.getByText(messages.googleLink.wrongPassword).count()).toBe(0);
  await page.getByRole("button", { name: "Keep it and sign in" }).click();
  await page.waitForURL(`${shop.url}/account`);
});

test("S23 who registered an address without proving it loses password and account to its owner", async () => {
  const attacker = newHttpVisitor(shop.url);
  const email = "victim@example.com";
  await attacker.post("/register", { firstName: "Eve", lastName: "Evil", email, password: PASSWORD });
  const { page } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.goto(`${shop.url}/login?next=/account`);
  await signIn(page).click();
  await agree(page, "Vera Victim", email);
  await page.getByText("Welcome, Vera!").waitFor();
  const tried = await attacker.post("/login", { email, password: PASSWORD });
  expect([tried.status, await tried.text()]).toEqual([400, expect.stringContaining("Invalid email or password")]);
});

test("S25 a name with markup is shown as it is and does nothing", async () => {
  const { page, complaints } = await newVisitor(browser, { javaScriptEnabled: true });
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`${shop.url}/login?next=/account`, { waitUntil: "networkidle" });
  await signIn(page).click();
  await agree(page, `<img/src=x/onerror=alert(1)> ${"x".repeat(10_000)}`, "markup@example.com");
  await page.getByText("Welcome, <img/src=x/onerror=alert(1)>!").waitFor();
  expect(complaints).toEqual([]);
});

test("S24 whoever is led to sign in with another site's address ends in the shop", async () => {
  const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.route("**/auth/google", (route) => {
    const fields = new URLSearchParams(route.request().postData() ?? "");
    fields.set("next", "//evil.example/x");
    return route.continue({ postData: fields.toString() });
  });
  await page.goto(`${shop.url}/login?next=//evil.example/x`);
  await signIn(page).click();
  await agree(page, "Led Astray", "led@example.com");
  await page.waitForURL(`${shop.url}/`);
  expect(await sessionCookie(context)).toBeDefined();
  await context.close();
});

test("S24 where Google sends back to is the shop's own address, whatever host a visitor names", async () => {
  const answer = await fetch(`${shop.url}/auth/google`, {
    method: "POST",
    body: new URLSearchParams({ from: "login", next: "//evil.example/x" }),
    headers: { "x-forwarded-host": "evil.example" },
    redirect: "manual",
  });
  const { searchParams } = new URL(answer.headers.get("location") ?? "");
  expect(searchParams.get("redirect_uri")).toBe(`${shop.url}/auth/google/callback`);
});
