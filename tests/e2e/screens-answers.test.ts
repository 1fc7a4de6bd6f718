import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as messages from "#app/messages.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

/**
 * The message that the page gives as its answer: the focus is on it or on the field that it describes, and both are in
 * view. Otherwise what is wrong.
 */
function answerOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const invalid = focused?.closest('[aria-invalid="true"]');
    const id = invalid?.getAttribute("aria-describedby")?.split(" ").at(-1);
    const message = id ? document.getElementById(id) : focused?.closest('[role="alert"], [role="status"]');
    if (!focused || !message) return `the focus is on ${focused?.outerHTML.slice(0, 120)}`;
    for (const element of [focused, message]) {
      const { top, bottom, left, width, height } = element.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) return `from ${top} to ${bottom} of ${innerHeight}: ${element.outerHTML}`;
      // A toast goes by itself.
      const upmost = document
        .elementsFromPoint(left + width / 2, top + height / 2)
        .find((one) => !one.closest("#toasts"));
      if (!upmost || !(element.contains(upmost) || upmost.contains(element))) return `covered: ${element.outerHTML}`;
    }
    return message.textContent ?? "";
  });
}

type Press = {
  of: string;
  path: string;
  fill?(page: Page): Promise<unknown>;
  button: string | RegExp;
  says: string;
  /** Whether the error goes as soon as its field is changed. */
  mends?: true;
};

type Fill = NonNullable<Press["fill"]>;
const inTurn =
  (...fills: Fill[]): Fill =>
  async (page) => {
    for (const fill of fills) await fill(page);
  };
const label = (name: string, text: string) => (page: Page) => page.getByRole("main").getByLabel(name).fill(text);
const open = (section: string) => (page: Page) => page.getByRole("heading", { name: section, level: 3 }).click();
const footer = (page: Page) => page.getByRole("contentinfo");

const AS_GUEST: Press[] = [
  { of: "login, empty", path: "/login", button: "Login", mends: true, says: messages.form.required("email") },
  {
    of: "login, wrong",
    path: "/login",
    fill: inTurn(label("Email", "nobody@example.com"), (page) =>
      page.getByRole("main").getByLabel("Password", { exact: true }).fill("not my password"),
    ),
    button: "Login",
    says: messages.login.invalid,
  },
  {
    of: "registration, empty",
    path: "/register",
    button: "Create my account",
    mends: true,
    says: messages.form.required("first name"),
  },
  {
    of: "registration, with all but a password",
    path: "/register",
    fill: inTurn(label("First name", "Ada"), label("Last name", "Obi"), label("Email", "empty@example.com")),
    button: "Create my account",
    mends: true,
    says: messages.form.required("password"),
  },
  {
    of: "forgotten password, wrong",
    path: "/forgotPassword",
    fill: label("Email", "ada"),
    button: "RETRIEVE PASSWORD",
    mends: true,
    says: messages.form.email,
  },
  {
    of: "forgotten password's mail, asked for again",
    path: "/forgotPassword",
    fill: inTurn(label("Email", "nobody@example.com"), async (page) => {
      await page.getByRole("button", { name: "RETRIEVE PASSWORD" }).click();
      await page.waitForURL("**/checkMail");
    }),
    button: "Send it again",
    says: "We've sent it again.",
  },
  { of: "newsletter, empty", path: "/subscribe", button: "Subscribe", says: messages.subscribe.incomplete },
  { of: "newsletter in the footer, empty", path: "/about", button: "Subscribe", says: messages.subscribe.incomplete },
  {
    of: "newsletter in the footer, wrong",
    path: "/about",
    fill: async (page) => {
      await footer(page).getByLabel("First name").fill("Ada");
      await footer(page).getByLabel("Email").fill("ada");
    },
    button: "Subscribe",
    says: messages.form.email,
  },
];

const AS_CUSTOMER: Press[] = [
  {
    of: "name, empty",
    path: "/account",
    fill: inTurn(open("Name"), label("First name", "")),
    button: "Save name",
    mends: true,
    says: messages.form.required("first name"),
  },
  {
    of: "name, right",
    path: "/account",
    fill: open("Name"),
    button: "Save name",
    says: messages.settings.saved.name,
  },
  {
    of: "password, empty",
    path: "/account",
    fill: open("Password"),
    button: "Change password",
    mends: true,
    says: messages.form.required("password"),
  },
  {
    of: "account's deletion, wrong",
    path: "/account",
    fill: inTurn(open("My data"), label("Your password", "not my password")),
    button: "Delete my account",
    mends: true,
    says: messages.settings.wrongPassword,
  },
  {
    of: "checkout, wrong",
    path: "/checkout",
    fill: label("Phone", "0803"),
    button: /^Pay Now/,
    says: messages.checkout.phone,
  },
];

const comesBack = (count: string) => (page: Page) => page.getByLabel("How many are you returning?").fill(count);

const RETURN_PRESSES: Omit<Press, "path">[] = [
  {
    of: "return, empty",
    fill: comesBack("0"),
    button: "Send request",
    says: messages.returns.faults["no-pieces"],
  },
  {
    of: "return, without a reason",
    fill: comesBack("1"),
    button: "Send request",
    says: messages.returns.noReason,
  },
  {
    of: "return of something damaged, without words",
    fill: inTurn(comesBack("1"), (page) => page.getByRole("radio", { name: "It’s damaged" }).check()),
    button: "Send request",
    says: messages.returns.faults["no-words"],
  },
];

/** A customer with a tee in the cart, and a delivered order. Returns the page of a return. */
async function hasBought(customer: Visitor): Promise<string> {
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "2" });
  const paid = await pressPay(customer);
  const reference = await endPayment(paid.headers.get("location") ?? "", "success");
  await customer.get(`/checkout/return?reference=${reference}`);
  await ownerSays(shop, "orders", "fulfil", reference, "--yes");
  await ownerSays(shop, "orders", "deliver", reference, "--yes");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  return `/order/${reference}/return`;
}

/** Sends an order that is handed over by a code. Returns that code, and the path of its link. */
async function isOnItsWay(customer: Visitor): Promise<{ code: string; path: string }> {
  await ownerSays(shop, "delivery-ways", "handover", "standard", "on", "--yes");
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1" });
  const paid = await pressPay(customer);
  const reference = await endPayment(paid.headers.get("location") ?? "", "success");
  await customer.get(`/checkout/return?reference=${reference}`);
  await ownerSays(shop, "orders", "fulfil", reference, "--yes");
  await ownerSays(shop, "delivery-ways", "handover", "standard", "off", "--yes");
  const said = await ownerSays(shop, "orders", "handover", reference, "--yes");
  const order = await (await customer.get(`/order/${reference}`)).text();
  const [, code = ""] = /tracking-widest">(\d{4})</.exec(order) ?? [];
  return { code, path: /\/handover\/[\w-]{22}/.exec(said)?.[0] ?? "" };
}

const SIZES = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
];

describe.each(SIZES)("at $width px, in view, focused and said, is the answer to", (viewport) => {
  let page: Page;
  let context: BrowserContext;
  let returns: string;
  beforeAll(async () => {
    ({ page, context } = await newVisitor(browser, { viewport }));
    await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  });
  afterAll(() => context.close());

  async function isAnswered({ path, fill, button, says, mends }: Press): Promise<void> {
    await page.goto(shop.url + path, { waitUntil: "networkidle" });
    await fill?.(page);
    const pressed = page.getByRole("button", { name: button, exact: typeof button === "string" }).last();
    const isGrey = (await pressed.getAttribute("aria-disabled")) === "true"; // Pay Now, which can be pressed
    await pressed.click({ force: isGrey }); // any other one once no toast of the page before lies on it
    await expect.poll(() => answerOf(page), { timeout: 15_000 }).toBe(says);
    if (mends) await isMended(says);
  }

  async function isMended(says: string): Promise<void> {
    const wrong = page.locator(":focus");
    await page.keyboard.type("A");
    expect(await wrong.getAttribute("aria-invalid")).toBe(null);
    expect(await page.getByText(says).count()).toBe(0);
  }

  test.each(AS_GUEST)("$of", isAnswered);

  test("a code at the door, wrong and right", async () => {
    const { code, path } = await isOnItsWay(await newCustomer(shop, `door-${viewport.width}@example.com`));
    const press = { of: "handover", path, button: "Confirm delivery" };
    const wrong = code === "0000" ? "0001" : "0000";
    await isAnswered({ ...press, fill: label("Code", wrong), mends: true, says: messages.handover.wrong(2) });
    await isAnswered({ ...press, fill: label("Code", code), says: messages.handover.delivered });
  });

  describe("a customer:", () => {
    beforeAll(async () => {
      const customer = await newCustomer(shop, `answers-${viewport.width}@example.com`);
      returns = await hasBought(customer);
      await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
    });
    test.each(AS_CUSTOMER)("$of", isAnswered);
    test.each(RETURN_PRESSES)("$of", (press) => isAnswered({ ...press, path: returns }));

    test.each(["Close", "Decline"])("a payment that ends with %s", async (end) => {
      await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
      const form = page.getByRole("main");
      await form.getByLabel("Phone").fill("0803 123 4567");
      await form.getByLabel("Home Delivery").check();
      await form.getByLabel("State").selectOption("Lagos");
      await form.getByLabel("Street and number").fill("1 Broad Street");
      const payNow = page.getByRole("button", { name: /^Pay Now/ });
      await payNow.click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Paystack/ })
        .click();
      const popup = page.frameLocator('iframe[id^="inline-checkout-"]');
      if (end === "Decline") {
        await popup.getByRole("button", { name: "Decline" }).click();
        await popup.getByText("Please try another card").waitFor();
      }
      await popup.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => answerOf(page), { timeout: 15_000 }).toBe(messages.order.notCharged);
      const answer = await page.getByText(messages.order.notCharged).boundingBox();
      const button = await payNow.boundingBox();
      expect(answer && button && button.y - answer.y - answer.height).toBeLessThan(160);
    });
  });
});
