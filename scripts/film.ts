import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Browser, Locator, Page } from "playwright-core";
import sharp from "sharp";
import { SECOND } from "#app/infra/durations.ts";
import { newVisitor as newPage, openBrowser } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { runShop } from "#tests/support/running-shop.ts";
import { buildIfChanged } from "./build.ts";

// Films for the README and docs/, in docs/pictures/. The shop, its pages and the payment sandbox are real. Words after
// `--` select films by name: npm run film -- purchase
const FILMS: Record<string, (browser: Browser) => Promise<Film>> = { purchase, prove };
const FOLDER = "docs/pictures";

const PHONE = { width: 390, height: 780 };
/** In pixels: sharp on a screen with two pixels a point. */
const FILM_WIDTH = 600;
/** In milliseconds: the shortest frame, and the longest time without a change, such as while a page loads. */
const FRAME = 120;
const STILL = 1800;
/** In milliseconds: how long each screen stands before the next press, so that it can be read. */
const READ = 1300;
const PROOF = { width: 900, height: 960 };
/** In milliseconds: how long the dot is seen before the press. */
const AIM = 350;

type Frame = { picture: Buffer; at: number };
type Film = { pictures: Buffer[]; width: number; delay: number[] };

const wanted = process.argv.slice(2);
await buildIfChanged();
const browser = await openBrowser();
try {
  for (const [name, film] of Object.entries(FILMS))
    if (wanted.length === 0 || wanted.includes(name)) await write(name, await film(browser));
} finally {
  await browser.close();
}

/** A purchase on a phone, from the home page to the order. The customer has bought before: the address is known. */
async function purchase(browser: Browser): Promise<Film> {
  const shop = await runShop();
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
    const all = await filmed(page, () => buy(page));
    // Of several frames within `FRAME`, the last is kept.
    const frames = all.filter(({ at }, index) => (all[index + 1]?.at ?? Infinity) - at >= FRAME);
    const delay = frames.map(({ at }, index) => Math.min(STILL, Math.round((frames[index + 1]?.at ?? Infinity) - at)));
    return { pictures: frames.map(({ picture }) => picture), width: FILM_WIDTH, delay };
  } finally {
    await shop.stop();
  }
}

async function buy(page: Page): Promise<void> {
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

/** The page of `npm run prove`, 25 times as fast, with the books of both sides at its end. */
async function prove(browser: Browser): Promise<Film> {
  const proof = spawn(process.execPath, ["scripts/prove.ts"], { stdio: ["ignore", "pipe", "inherit"] });
  let code: number | null | undefined;
  const ended = once(proof, "exit").then(([exit]) => (code = exit));
  const address = new Promise<string>((resolve) => {
    createInterface(proof.stdout).on("line", (line) => {
      const [, url] = /Watch them at (\S+)/.exec(line) ?? [];
      if (url) resolve(url);
    });
  });
  const { page } = await newPage(browser, { viewport: PROOF });
  await page.goto(await Promise.race([address, ended.then(() => Promise.reject(new Error("It ended early")))]));
  const pictures: Buffer[] = [];
  const see = async () => pictures.push(await page.screenshot());
  for (; code === undefined; await page.waitForTimeout(3 * SECOND)) await see();
  if (code !== 0) throw new Error(`The proof failed (exit ${code})`);
  await see();
  return {
    pictures,
    width: PROOF.width,
    delay: pictures.map((_, index) => (index === pictures.length - 1 ? 6 * SECOND : FRAME)),
  };
}

/** Writes a film as one picture that repeats itself. */
async function write(name: string, { pictures, width, delay }: Film): Promise<void> {
  const target = `${FOLDER}/${name}.webp`;
  const resized = await Promise.all(pictures.map((picture) => sharp(picture).resize(width).png().toBuffer()));
  const { size } = await sharp(resized, { join: { animated: true } })
    .webp({ quality: 60, minSize: true, loop: 0, delay })
    .toFile(target);
  const seconds = delay.reduce((sum, ms) => sum + ms, 0) / 1000;
  process.stdout.write(
    `${target}: ${pictures.length} frames, ${seconds.toFixed(1)} s, ${Math.round(size / 1024)} KB\n`,
  );
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
