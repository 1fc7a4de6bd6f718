import type { WebDriver } from "selenium-webdriver";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { answered, button, field, label, link, shopperAt } from "./shopper.ts";
import { hasWebKit, startWebKit, type WebKit } from "./webkit.ts";

const PASSWORD = "harmony";
const IN_DIALOG = "//dialog[@open]";

type Shopper = ReturnType<typeof shopperAt>;

describe.skipIf(!hasWebKit)("the whole way of a shopper in WebKit (Debian's, where it is installed)", () => {
  let shop: RunningShop;
  let webkit: WebKit;

  beforeAll(async () => {
    [shop, webkit] = await Promise.all([runShop(), startWebKit()]);
  });
  afterAll(async () => {
    await webkit?.close();
    await shop?.stop();
  });

  async function opened(options?: { script: boolean }): Promise<WebDriver> {
    const driver = await answered("a new window", webkit.open(options));
    onTestFinished(() => answered("closing the window", driver.quit()));
    return driver;
  }

  async function register({ type, press, arrive }: Shopper, email: string, inside: string) {
    await type(inside + field("First name"), "Ada");
    await type(inside + field("Last name"), "Obi");
    await type(inside + field("Email"), email);
    await type(inside + field("Password"), PASSWORD);
    await press(inside + button("Create my account"));
    await arrive(/\/verifyMail$/);
  }

  async function verificationLink(email: string): Promise<string> {
    const { text } = await mailTo(shop.dataDir, email, /Verify/);
    return linkIn(text, "/verification?oobCode=");
  }

  async function logIn({ type, press }: Shopper, email: string) {
    await type(`//main${field("Email")}`, email);
    await type(`//main${field("Password")}`, PASSWORD);
    await press(`//main${button("Login")}`);
  }

  async function fillShipping({ press, type, choose }: Shopper) {
    await press(label("Home Delivery"));
    await choose(field("State"), "Lagos");
    await type(field("Street and number"), "1 Broad Street");
    await type(field("Phone"), "+234 803 123 4567");
  }

  async function logOut({ open, see, press, arrive }: Shopper) {
    await open(`${shop.url}/account`);
    await see("Welcome, Ada!");
    await see("completed");
    await press(button("Logout"));
    await arrive(/:\d+\/$/);
    await open(`${shop.url}/account`);
    await see("User not Logged in");
  }

  test("from home to the order in the account, and out again", async () => {
    const email = "ada@example.com";
    const driver = await opened();
    const shopper = shopperAt(driver);
    const { open, press, see, arrive } = shopper;

    await open(shop.url);
    await press(link("Shop Now"));
    await arrive(/\/shop$/);
    await see("In stock only"); // the address changes before the page does, which then scrolls to its top
    await press(link("Unity Home Jersey"));
    await arrive(/\/singleProduct\/unity-home-jersey$/);
    await see("Choose a size");
    await press(label("M"));
    await press(button("Add to Cart"));
    await see("Shipping & taxes calculated at checkout");
    await press(link("Checkout"));
    await see("Please log in to continue to checkout");
    await press(IN_DIALOG + link("Create one"));
    await register(shopper, email, IN_DIALOG);
    await open(await verificationLink(email));
    await see("Email verified successfully! You can now log in.");
    await press(`//main${link("Login")}`);
    await logIn(shopper, email);
    await see("Welcome, Login Successful!");
    await arrive(/\/checkout$/);

    await fillShipping(shopper);
    await press(button("Pay Now"));
    await press(IN_DIALOG + button("US dollars ($)"));
    await press(IN_DIALOG + button("Pay in naira (NGN)"));
    await press(IN_DIALOG + button("Card"));
    await shopper.enterFrame('iframe[id^="inline-checkout-"]');
    await press(button("Decline"));
    await see("Please try another card");
    await press(button("Pay success"));
    await driver.switchTo().defaultContent();
    await see("Payment successful! Order has been recorded.");
    await arrive(/:\d+\/$/);
    await see("Your order is in.");
    await press(link("See your order"));
    await arrive(/\/order\//); // the greeting on the home page has the same heading
    await see("Thank you, Ada. Your order is in.");
    expect((await mailTo(shop.dataDir, email, /order/i)).text).toContain("Unity Home Jersey");
    await logOut(shopper);
    expect(webkit.said()).toEqual([]);
  });

  test("with script switched off", async () => {
    const email = "eze@example.com";
    const driver = await opened({ script: false });
    const shopper = shopperAt(driver, { script: false });
    const { open, press, see, arrive } = shopper;

    await open(`${shop.url}/singleProduct/unity-home-jersey`);
    await press(label("L"));
    await press(button("Add to Cart"));
    await arrive(/\/Cart$/);
    await open(`${shop.url}/register`);
    await register(shopper, email, "//main");
    await open(await verificationLink(email));
    await press(button("Verify my email"));
    await see("Email verified successfully! You can now log in.");
    await open(`${shop.url}/Cart`);
    await press(link("Checkout"));
    await press(`//main${link("Login")}`);
    await logIn(shopper, email);
    await arrive(/\/checkout$/);

    await fillShipping(shopper);
    await press(button("Pay Now"));
    await see("With delivery the total is");
    await press(button("Pay Now"));
    await press(button("Pay success"));
    await arrive(/\/order\//);
    await see("Thank you, Ada. Your order is in.");
    await logOut(shopper);
  });
});
