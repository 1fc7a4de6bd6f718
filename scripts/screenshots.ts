import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import PostalMime from "postal-mime";
import { newVisitor as newPage, openBrowser } from "#tests/support/browser.ts";
import { endPayment, LAGOS, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { buildIfChanged } from "./build.ts";

// Pictures of every screen in tests/screenshots/, at a phone's and a desktop's width. Words after `--` choose by name: npm run screenshots -- cart
const FOLDER = "tests/screenshots";
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
const wanted = process.argv.slice(2);

type Who = "guest" | "shopper" | "customer" | "buyer" | "leaver";
type Shot = {
  name: string;
  path: string;
  who?: Who;
  whole?: boolean;
  print?: boolean;
  /** The dialog that must be open. */
  opens?: string;
  before?(page: Page): Promise<unknown>;
};

const GUEST_CART = [
  { id: "unity-home-jersey", selectedSize: "M", color: "Palm Green", quantity: 2, price: 49.99 },
  { id: "rings-tee", selectedSize: "L", color: "Off White", quantity: 1, price: 19.99 },
];
const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const openPanels = (page: Page) => page.evaluate(openAll);
const pickUp = async (page: Page) => {
  await page.getByLabel("Pick-up", { exact: true }).check();
  await page.getByLabel("Pick-up center").selectOption({ index: 1 });
};
const abroad = async (page: Page) => {
  await page.getByLabel("Country").selectOption("United Kingdom");
  await page.getByLabel("Phone").fill("12");
};
const home = async (page: Page) => {
  await page.getByLabel("Home Delivery").check();
  await page.getByLabel("State").selectOption("Lagos");
  await page.getByLabel("Street and number").fill("1 Broad Street");
  await page.getByRole("main").getByLabel("Phone").fill("0803 123 4567");
};

const SHOTS: Shot[] = [
  { name: "home", path: "/", whole: true },
  { name: "home-first", path: "/" },
  { name: "home-green", path: "/", before: press("Show slide 2") },
  { name: "home-brown", path: "/", before: press("Show slide 3") },
  { name: "shop", path: "/shop", whole: true },
  { name: "shop-filters", path: "/shop?size=M&max=60", before: openFilters },
  { name: "shop-nothing", path: "/shop?q=nothing-like-this" },
  { name: "product", path: "/singleProduct/unity-home-jersey", whole: true },
  { name: "product-first", path: "/singleProduct/unity-home-jersey" },
  {
    name: "product-chosen",
    path: "/singleProduct/unity-home-jersey",
    before: (page) => page.getByRole("group", { name: "Size" }).getByText("XXL").click(),
  },
  { name: "product-sold-out", path: "/singleProduct/harmattan-zigzag-jersey" },
  { name: "product-size-guide", path: "/singleProduct/unity-home-jersey", before: press("Size guide") },
  { name: "product-large", opens: "Large view", path: "/singleProduct/unity-home-jersey", before: press(/show large/) },
  { name: "product-none", path: "/singleProduct/none" },
  { name: "cart-empty", path: "/Cart" },
  { name: "cart-guest", path: "/Cart", who: "shopper" },
  { name: "cart-customer", path: "/Cart", who: "customer" },
  { name: "drawer", path: "/parentcomp", who: "shopper", opens: "CART", before: press("Open cart") },
  { name: "drawer-empty", path: "/parentcomp", opens: "CART", before: press("Open cart") },
  {
    name: "login-dialog",
    opens: "Login",
    path: "/Cart",
    who: "shopper",
    before: (page) => page.getByRole("link", { name: /^checkout$/i }).click(),
  },
  { name: "checkout-signed-out", path: "/checkout" },
  { name: "checkout-nigeria", path: "/checkout", who: "customer", whole: true, before: home },
  { name: "checkout-abroad", path: "/checkout", who: "customer", whole: true, before: abroad },
  { name: "checkout-pickup", path: "/checkout", who: "customer", whole: true, before: pickUp },
  { name: "checkout-wrong", path: "/checkout", who: "customer", whole: true, before: wrongPhone },
  {
    name: "payment",
    opens: "Choose a Payment Method",
    path: "/checkout",
    who: "customer",
    before: async (page) => {
      await home(page);
      await press(/^Pay Now/)(page);
    },
  },
  { name: "currency", opens: "Choose your currency", path: "/about", before: press(/^Currency/) },
  { name: "login", path: "/login", whole: true },
  {
    name: "login-wrong",
    path: "/login",
    before: async (page) => {
      await page.getByRole("main").getByLabel("Email").fill("a@b.c");
      await page.getByRole("main").getByLabel("Password", { exact: true }).fill("wrong");
      await page.getByRole("main").getByRole("button", { name: "Login" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "register", path: "/register", whole: true },
  {
    name: "register-wrong",
    path: "/register",
    before: async (page) => {
      await page.getByRole("button", { name: "Create my account" }).click();
      await page.getByText("Please enter your").first().waitFor();
    },
  },
  { name: "forgot-password", path: "/forgotPassword" },
  { name: "check-mail", path: "/checkMail" },
  { name: "reset-password", path: "/resetPassword?oobCode=x" },
  { name: "verify-mail", path: "/verifyMail" },
  { name: "verification-none", path: "/verification" },
  { name: "account-signed-out", path: "/account" },
  { name: "account-empty", path: "/account", who: "customer" },
  { name: "account", path: "/account", who: "buyer", whole: true },
  {
    name: "account-order",
    path: "/account",
    who: "buyer",
    whole: true,
    before: (page) => page.getByText("details").last().click(),
  },
  { name: "account-settings", path: "/account", who: "customer", whole: true, before: openPanels },
  { name: "order", path: "/order/", who: "buyer", whole: true },
  { name: "order-unpaid", path: "/order/", who: "leaver" },
  { name: "order-printed", path: "/order/", who: "buyer", whole: true, print: true },
  { name: "about", path: "/about", whole: true },
  { name: "returns", path: "/returnpolicy", whole: true },
  { name: "shipping", path: "/shipping-policy", whole: true },
  { name: "privacy", path: "/privacy-policy", whole: true },
  { name: "parentcomp", path: "/parentcomp" },
  { name: "subscribe", path: "/subscribe" },
  { name: "not-found", path: "/no-such-page" },
  { name: "mailbox", path: "/demo/mail" },
];

/** A sheet on phones, a bar elsewhere. */
async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Filter and sort/ });
  if (await button.isVisible()) await button.click();
}

async function wrongPhone(page: Page): Promise<void> {
  await home(page);
  await page.getByRole("main").getByLabel("Phone").fill("0803");
  await press(/^Pay Now/)(page);
  await page.getByText("Please enter a valid phone number").waitFor();
}

buildIfChanged();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const [shop, browser] = await Promise.all([runShop(), openBrowser()]);
try {
  await take(shop, browser);
} finally {
  await browser.close();
  await shop.stop();
}

async function take(shop: RunningShop, browser: Browser): Promise<void> {
  const customer = await newCustomer(shop, "ada@example.com");
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "2" });
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "L", quantity: "1" });
  const buyer = await newCustomer(shop, "eze@example.com");
  const [refunded = "", bought = ""] = await buy(buyer);
  const owner = (...words: string[]) =>
    execFileSync(process.execPath, ["scripts/shop.ts", ...words], { env: { ...process.env, DATA_DIR: shop.dataDir } });
  owner("orders", "fulfil", bought, "GIG-4711");
  owner("orders", "refund", refunded, "--yes");
  const leaver = await newCustomer(shop, "uche@example.com");
  const left = await leave(leaver);
  await leaver.post("/forgotPassword", { email: "uche@example.com" });
  const people = { customer: [customer], buyer: [buyer, bought], leaver: [leaver, left] } as const;
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const { name, path, who = "guest", whole, print, opens, before } of SHOTS) {
      if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
      const { page, context } = await newPage(browser, { viewport, reducedMotion: "reduce" });
      if (who === "shopper")
        await page.addInitScript((cart) => localStorage.setItem("cart", cart), JSON.stringify(GUEST_CART));
      const [visitor, reference] = who === "guest" || who === "shopper" ? [] : people[who];
      if (visitor) await signIn(context, shop, visitor);
      await page.route("**/*.css", withFont);
      if (path === "/checkout") await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
      await page.goto(shop.url + (path === "/order/" ? path + reference : path), { waitUntil: "networkidle" });
      await before?.(page);
      if (opens) await page.getByRole("dialog", { name: opens }).waitFor();
      if (whole) {
        await scrollThrough(page);
        await page.addStyleTag({ content: ".sticky { position: static !important }" });
      }
      if (print) await page.emulateMedia({ media: "print" });
      await page.waitForFunction(seenPicturesAreThere);
      await page.evaluate(decodePictures);
      await page.screenshot({ path: `${FOLDER}/${name}-${size}.png`, fullPage: whole });
      await context.close();
      process.stdout.write(`${name} ${size}\n`);
    }
  }
  await takeMails(shop, browser);
}

/** The newest mail of each subject, as a mail program shows it. */
async function takeMails(shop: RunningShop, browser: Browser): Promise<void> {
  if (wanted.length > 0 && !wanted.some((word) => "mail".includes(word))) return;
  await mailTo(shop.dataDir, "uche@example.com", /password/);
  await mailTo(shop.dataDir, LAGOS.email, /on its way back/);
  const outbox = path.join(shop.dataDir, "outbox");
  for (const file of readdirSync(outbox).filter((name) => name.endsWith(".eml"))) {
    const { subject = "", html = "" } = await PostalMime.parse(readFileSync(path.join(outbox, file)));
    const name = `mail-${subject.toLowerCase().replaceAll(" ", "-")}`;
    for (const [size, viewport] of Object.entries(SIZES)) {
      const { page, context } = await newPage(browser, { viewport });
      await page.setContent(html);
      await page.screenshot({ path: `${FOLDER}/${name}-${size}.png`, fullPage: true });
      await context.close();
    }
    process.stdout.write(`${name}\n`);
  }
}

/** The pages wait for the font here: a picture shows what every view but a slow first one shows. */
async function withFont(route: Route): Promise<void> {
  const response = await route.fetch();
  const css = (await response.text()).replaceAll(/font-display: ?optional/g, "font-display:block");
  await route.fulfill({ response, body: css });
}

function openAll(): void {
  for (const panel of document.querySelectorAll<HTMLDetailsElement>("main details")) panel.open = true;
}

/** No spinner stands where somebody would see it; pictures out of sight are not fetched yet. */
function seenPicturesAreThere(): boolean {
  return [...document.querySelectorAll(".turning")].every((spinner) => {
    const { x, y, width, height } = spinner.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) !== spinner;
  });
}

/** What has arrived is drawn, too; a picture that is not fetched yet has nothing to decode. */
async function decodePictures(): Promise<void> {
  const fetched = [...document.images].filter((image) => image.currentSrc && image.loading !== "lazy");
  await Promise.all(fetched.map((image) => image.decode().catch(() => undefined)));
}

/** Pictures far down are fetched when they come into sight. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    scrollTo(0, 0);
  });
}

async function signIn(context: BrowserContext, shop: RunningShop, visitor: Visitor): Promise<void> {
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
}

/** Two paid orders; returns their references. */
async function buy(buyer: Visitor): Promise<string[]> {
  const references: string[] = [];
  for (const ids of [["eko-chevron-jersey"], ["unity-home-jersey", "rings-tee"]]) {
    for (const id of ids) await buyer.post("/Cart", { intent: "add", id, size: "M", quantity: "1" });
    const payPage = (await pressPay(buyer)).headers.get("location") ?? "";
    const reference = await endPayment(payPage, "success");
    await buyer.get(`/order/${reference}`);
    references.push(reference);
  }
  return references;
}

/** An order that was closed at the provider's page; returns its reference. */
async function leave(leaver: Visitor): Promise<string> {
  await leaver.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "1" });
  const payPage = (await pressPay(leaver)).headers.get("location") ?? "";
  return endPayment(payPage, "close");
}
