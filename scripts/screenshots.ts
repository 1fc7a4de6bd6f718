import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import PostalMime from "postal-mime";
import { newVisitor as newPage, openBrowser } from "#tests/support/browser.ts";
import { endPayment, LAGOS, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { buildIfChanged } from "./build.ts";
import { GUEST_CART, SHOTS } from "./shots.ts";

// Takes a picture of every screen at four widths, into tests/screenshots/. Words after `--` select screens by name:
// npm run screenshots -- cart
const FOLDER = "tests/screenshots";
const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
  wide: { width: 1920, height: 1080 },
};
const wanted = process.argv.slice(2);

await buildIfChanged();
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
    promisify(execFile)(process.execPath, ["scripts/shop.ts", ...words], {
      env: { ...process.env, DATA_DIR: shop.dataDir },
    });
  await owner("orders", "pack", bought);
  await owner("orders", "fulfil", bought, "GIG-4711", "--carrier", "GIG Logistics");
  await buyer.post(`/order/${bought}`, {});
  await owner("orders", "refund", refunded, "--yes");
  const leaver = await newCustomer(shop, "uche@example.com");
  const left = await leave(leaver);
  await leaver.post("/forgotPassword", { email: "uche@example.com" });
  const fresh = await newCustomer(shop, "ngozi@example.com");
  const [, news = ""] = await buy(fresh);
  const picker = await newCustomer(shop, "bola@example.com");
  const [, kept = ""] = await buy(picker, { ...LAGOS, deliveryType: "Pick-up", pickupCenter: "Surulere" });
  await owner("orders", "pack", kept);
  await owner("orders", "ready", kept);
  await picker.post(`/order/${kept}`, {});
  const people = {
    customer: [customer],
    buyer: [buyer, bought],
    leaver: [leaver, left],
    fresh: [fresh, news],
    picker: [picker, kept],
  } as const;
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

/** Makes the pages wait for the font: a picture then shows what every view shows except a slow first one. */
async function withFont(route: Route): Promise<void> {
  const response = await route.fetch();
  const css = (await response.text()).replaceAll(/font-display: ?optional/g, "font-display:block");
  await route.fulfill({ response, body: css });
}

/** Whether no spinner is visible. Pictures out of sight are not fetched yet and keep their spinners. */
function seenPicturesAreThere(): boolean {
  return [...document.querySelectorAll(".turning")].every((spinner) => {
    const { x, y, width, height } = spinner.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) !== spinner;
  });
}

/** Waits until the fetched pictures are decoded and drawn. A picture that is not fetched yet has nothing to decode. */
async function decodePictures(): Promise<void> {
  const fetched = [...document.images].filter((image) => image.currentSrc && image.loading !== "lazy");
  await Promise.all(fetched.map((image) => image.decode().catch(() => undefined)));
}

/** Scrolls through the page, since pictures far down are fetched only when they come into sight. */
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

/** Pays for two orders. Returns their references. */
async function buy(buyer: Visitor, form: Record<string, string> = LAGOS): Promise<string[]> {
  const references: string[] = [];
  for (const ids of [["eko-chevron-jersey"], ["unity-home-jersey", "rings-tee"]]) {
    for (const id of ids) await buyer.post("/Cart", { intent: "add", id, size: "M", quantity: "1" });
    const payPage = (await pressPay(buyer, form)).headers.get("location") ?? "";
    const reference = await endPayment(payPage, "success");
    await buyer.get(`/order/${reference}`);
    references.push(reference);
  }
  return references;
}

/** Starts an order and closes the provider's page. Returns the order's reference. */
async function leave(leaver: Visitor): Promise<string> {
  await leaver.post("/Cart", { intent: "add", id: "rings-tee", size: "S", quantity: "1" });
  const payPage = (await pressPay(leaver)).headers.get("location") ?? "";
  return endPayment(payPage, "close");
}
