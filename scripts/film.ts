import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { newVisitor as newPage, openBrowser } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { runShop } from "#tests/support/running-shop.ts";
import { buildIfChanged } from "./build.ts";

// Films a purchase on a phone, from the home page to the order, into docs/pictures/purchase.webp, which the README shows.
// The shop, its pages and the payment sandbox are real; the customer has bought before, so the address is known.
const TARGET = "docs/pictures/purchase.webp";
const PHONE = { width: 390, height: 780 };
/** In pixels: sharp on a screen with two pixels a point. */
const FILM_WIDTH = 600;
/** In milliseconds: the shortest frame, and the longest time without a change, such as while a page loads. */
const FRAME = 120;
const STILL = 1800;
/** In milliseconds: how long each screen stands before the next press, so that it can be read. */
const READ = 1300;
/** In milliseconds: how long the dot is seen before the press. */
const AIM = 350;

type Frame = { picture: Buffer; at: number };

await buildIfChanged();
const [shop, browser] = await Promise.all([runShop(), openBrowser()]);
try {
  const customer = await newCustomer(shop, "ada@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  const bought = await endPayment((await pressPay(customer)).headers.get("location") ?? "", "success");
  await customer.get(`/order/${bought}`);
  await customer.post(`/order/${bought}`, {}); // dismisses its greeting
  const { page, context } = await newPage(browser, { viewport: PHONE, deviceScaleFactor: 2, hasTouch: true });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await context.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(shop.url);
  const frames = await filmed(page, () => purchase(page));
  await write(frames);
} finally {
  await browser.close();
  await shop.stop();
}

async function purchase(page: Page): Promise<void> {
  const press = async (target: Locator) => {
    await target.waitFor();
    await page.waitForTimeout(READ);
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box) await page.evaluate(showFinger, { x: box.x + box.width / 2, y: box.y + box.height / 2, ms: AIM });
    await page.waitForTimeout(AIM);
    await target.tap();
  };
  await press(page.getByRole("link", { name: "Shop Now" }).first());
  await press(page.getByRole("main").getByRole("link", { name: /Unity Home Jersey in/i }));
  await press(page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }));
  await press(page.getByRole("button", { name: "Add to Cart" }));
  await press(page.getByRole("link", { name: /^checkout$/i }));
  await press(page.getByRole("button", { name: /^Pay Now/ }));
  await press(page.getByRole("dialog", { name: "Choose a Payment Method" }).getByRole("button", { name: /^Card/ }));
  await press(page.frameLocator('iframe[id^="inline-checkout-"]').getByRole("button", { name: "Pay success" }));
  await press(page.getByRole("region", { name: /^Thank you/ }).getByRole("link", { name: "See your order" }));
  await page.waitForURL("**/order/**");
  await page.waitForTimeout(2 * READ);
}

/** What the page shows while `act` runs: a frame for each change. */
async function filmed(page: Page, act: () => Promise<void>): Promise<Frame[]> {
  const frames: Frame[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ picture: Buffer.from(data, "base64"), at: (metadata.timestamp ?? 0) * 1000 });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "png" });
  await act();
  await session.send("Page.stopScreencast");
  return frames;
}

/** Writes the frames as one picture that repeats itself. Of several within `FRAME`, the last is kept. */
async function write(all: Frame[]): Promise<void> {
  const frames = all.filter(({ at }, index) => (all[index + 1]?.at ?? Infinity) - at >= FRAME);
  const delay = frames.map(({ at }, index) => Math.min(STILL, Math.round((frames[index + 1]?.at ?? Infinity) - at)));
  const pictures = await Promise.all(frames.map(({ picture }) => sharp(picture).resize(FILM_WIDTH).png().toBuffer()));
  const { size } = await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, minSize: true, loop: 0, delay })
    .toFile(TARGET);
  const seconds = delay.reduce((sum, ms) => sum + ms, 0) / 1000;
  process.stdout.write(`${TARGET}: ${frames.length} frames, ${seconds.toFixed(1)} s, ${Math.round(size / 1024)} KB\n`);
}

/** Runs in the page: a dot where the finger is about to press. */
function showFinger({ x, y, ms }: { x: number; y: number; ms: number }): void {
  const dot = document.createElement("div");
  dot.popover = "manual"; // above open dialogs
  Object.assign(dot.style, {
    inset: `${y - 20}px auto auto ${x - 20}px`,
    width: "40px",
    height: "40px",
    margin: "0",
    borderRadius: "50%",
    background: "rgb(0 0 0 / 40%)",
    border: "2px solid white",
    pointerEvents: "none",
  });
  document.body.append(dot);
  dot.showPopover();
  setTimeout(() => dot.remove(), ms);
}
