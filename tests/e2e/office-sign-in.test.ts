import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { ROLES } from "#app/staff/roles.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor } from "#tests/support/browser.ts";
import {
  asked,
  browser,
  button,
  heading,
  looksNoMore,
  office,
  shop,
  staff,
  useOffice,
  WAYS,
} from "#tests/support/office-in-browser.ts";
import { addPastSales } from "#tests/support/past-sales.ts";
import { faultsIn } from "#tests/support/shop-books.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { PASSWORD, totpNow } from "#tests/support/staff.ts";

useOffice();
beforeAll(() => addPastSales(shop, 1));

/** Invites a member. Returns the link, which an owner hands on. */
async function invited(email: string, role: string): Promise<string> {
  const settings = { DATA_DIR: shop.dataDir, OFFICE_URL: office };
  const { said } = await shopCommand(settings, "staff", "invite", email, role, "--json");
  return (JSON.parse(said) as { url: string }).url;
}

/** A virtual authenticator with passkeys, which has already recognized its user. */
async function withAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

const press = (page: Page, name: string | RegExp) => button(page, name).click();

/** Expects no findings of axe and no sideways scrolling. */
async function isInOrder(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBe(0);
}

describe.each([1440, 360])("at %i px", (width) => {
  test("an owner is invited, makes a passkey, signs out, and in again", async () => {
    const { page, complaints, context } = await newVisitor(browser, { viewport: { width, height: 800 } });
    await withAuthenticator(page);
    await page.goto(await invited(`ada${width}@example.com`, "owner"));
    await isInOrder(page);
    await page.getByLabel("Your name").first().fill("Ada Obi");
    await press(page, "Create a passkey on this device");
    await heading(page, "You’re in").waitFor();
    expect(await page.getByRole("listitem").count()).toBe(10);
    await isInOrder(page);
    await page.getByRole("link", { name: "I’ve saved them. Go to the office" }).click();
    await heading(page, "Today").waitFor();

    await asked(`update staff_sessions set created_at = now() - interval '1 hour'`);
    await page.goto(`${office}/me`);
    await isInOrder(page);
    await press(page, "Sign in again");
    await press(page, "Use your passkey");
    await heading(page, "Ada Obi").waitFor();
    await isInOrder(page);
    await press(page, "Sign out");
    await heading(page, "Sign in to the office").waitFor();
    await page.goto(`${office}/staff?x=1`);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await isInOrder(page);
    await page.evaluate(() => Object.assign(window, { isOfMemberBefore: true }));
    await press(page, "Use your passkey");
    await heading(page, "Staff").waitFor();
    expect(await page.evaluate(() => "isOfMemberBefore" in window)).toBe(false);
    expect(page.url()).toBe(`${office}/staff?x=1`);
    await isInOrder(page);

    await page.goto(`${office}/audit?kind=staff`);
    await page.getByText("staff accept").first().waitFor();
    await isInOrder(page);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("with a password and a code, by the keyboard alone", () => {
  test("somebody of the orders signs in, and is led to nothing that is not theirs", async () => {
    const { page, complaints, context } = await newVisitor(browser, { viewport: { width: 360, height: 800 } });
    await page.goto(await invited("eze@example.com", "orders"));
    const type = (text: string) => page.keyboard.type(text);
    const key = (name: string) => page.keyboard.press(name);
    await page.getByText("A password, and codes from your phone").focus();
    await key("Enter");
    await page.locator("details").getByLabel("Your name").focus();
    await type("Eze");
    await key("Tab");
    await type(PASSWORD);
    const secret = await page.locator("input[name=secret]").inputValue();
    await key("Tab");
    await key("Tab");
    await type("000000");
    await key("Enter");
    await page.getByText("That code doesn’t match.").waitFor();
    expect(await page.locator("input[name=secret]").inputValue()).toBe(secret);
    await page.getByLabel("The code it shows now").fill(totpNow(secret));
    await key("Enter");
    await heading(page, "You’re in").waitFor();

    await page.context().clearCookies();
    await page.goto(office);
    await page.getByLabel("Email").focus();
    await type("eze@example.com");
    await key("Tab");
    await type("wrong one");
    await key("Enter");
    await page.getByText("Wrong email or password. 4 tries left").waitFor();
    await isInOrder(page);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await context.setOffline(true);
    await key("Enter");
    await page.getByText("No connection, so nothing was changed.").waitFor();
    await context.setOffline(false);
    await key("Enter");
    await heading(page, "The code from your phone").waitFor();
    await isInOrder(page);
    await type(totpNow(secret, 30)); // each code counts once
    await key("Enter");
    await heading(page, "Today").waitFor();

    expect(await page.locator('a[href="/staff"]').count()).toBe(0);
    const answer = await page.goto(`${office}/staff`);
    expect(answer?.status()).toBe(403);
    await heading(page, "Not for your role").waitFor();
    await isInOrder(page);
    expect(complaints.filter((line) => !/status of (403|422)|ERR_INTERNET_DISCONNECTED/.test(line))).toEqual([]);
    await context.close();
  });
});

test("without script, too: the demo's owner invites, changes and removes; a used invitation says so", async () => {
  const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.goto(`${office}/staff`);
  await press(page, "Sign in as the demo’s owner");
  await heading(page, "Staff").waitFor();
  await page.getByRole("textbox", { name: "Email", exact: true }).fill("ngozi@example.com");
  await page
    .getByRole("radio", { name: /^reader/ })
    .last()
    .check();
  await press(page, "Invite");
  const said = await page.getByRole("status").first().innerText();
  expect(said).toContain(`${office}/invitation?code=`);
  const row = page.locator("li", { hasText: "ngozi@example.com" });
  await row.locator("summary").first().click();
  await row.getByRole("radio", { name: /^catalogue/ }).check();
  await row.getByRole("button", { name: "Change the role" }).click();
  expect(await page.getByRole("status").innerText()).toContain("has the role “catalogue” now");
  await row.locator("summary").first().click();
  await row.locator("summary", { hasText: "Remove" }).click();
  await row.getByRole("button", { name: "Remove from the staff" }).click();
  expect(await page.getByRole("status").innerText()).toContain("ngozi@example.com is removed");
  await page.goto(/http\S+/.exec(said)?.[0] ?? "");
  await heading(page, "This invitation has expired").waitFor();
  await context.close();
});

const oneOrder = async () => String((await asked("select number from orders"))[0]?.number);
const actsBy = (email: string) => asked(`select action from audit_log where actor = '${email}'`);

describe.each(WAYS)("a role that tries what it may not, by $by, at $width px", (way) => {
  test("finds no way there, and by an address or a forged form comes no further", async () => {
    const number = await oneOrder();
    const { page, hand, email, isInOrder, leaves } = await staff(way, "/", "catalogue");
    await heading(page, "Today").waitFor();
    for (const path of ["/staff", "/money", "/customers"]) {
      expect(await page.locator(`a[href="${path}"]`).count()).toBe(0);
      expect((await page.goto(office + path))?.status()).toBe(403);
      await heading(page, "Not for your role").waitFor();
    }
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Go to Today" }));
    await heading(page, "Today").waitFor();

    await page.goto(`${office}/orders/${number}?do=refund`);
    await heading(page, number).waitFor();
    expect(await page.locator("main form").count()).toBe(0);
    await isInOrder();
    const forged = await page.evaluate(async () => {
      const fields = { intent: "refund", kobo: "7998400", key: crypto.randomUUID(), cause: "Too small" };
      return (await fetch(location.href, { method: "POST", body: new URLSearchParams(fields) })).status;
    });
    expect(forged).toBe(403);
    await leaves(/status of 403/);
    expect(await actsBy(email)).toEqual([]);
    expect(await asked("select 1 from refunds")).toEqual([]);
    expect(await faultsIn(shop)).toEqual([]);
  });

  test("is told so where the role was taken away while a form was open, and nothing happens", async () => {
    const number = await oneOrder();
    const { page, hand, email, isInOrder, leaves } = await staff(way, `/orders/${number}?do=refund`, "orders");
    await hand.press(button(page, "One more"));
    await hand.choose(page.getByLabel("Reason"), "Too small");
    await looksNoMore(page);
    await asked(`update staff set role = 'reader' where email = '${email}'`);
    await hand.press(button(page, "Refund ₦79,984"));
    await heading(page, "Not for your role").waitFor();
    await page.getByText("Nothing was changed.").waitFor();
    await isInOrder();
    await leaves(/status of 403/);
    expect(await actsBy(email)).toEqual([]);
    expect(await asked("select 1 from refunds")).toEqual([]);
    expect(await faultsIn(shop)).toEqual([]);
  });
});

test.each(ROLES)("every way in the menu of the role %s leads somewhere", async (role) => {
  const { page, leaves } = await staff(WAYS[1], "/more", role);
  const links = page.getByRole("main").getByRole("link");
  const rows = await links.evaluateAll((all) =>
    all.map((one) => [one.clientHeight, one.querySelectorAll("svg").length]),
  );
  for (const [height, icons] of rows) expect([Number(height) >= 44, icons]).toEqual([true, 2]);
  for (const path of await links.evaluateAll((all) => all.map((one) => one.getAttribute("href"))))
    expect([path, (await page.request.get(office + path)).status()]).toEqual([path, 200]);
  await leaves();
});
