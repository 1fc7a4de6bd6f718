import { randomBytes } from "node:crypto";
import type { Page, Route } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { leastContrast, WINDOWS } from "#tests/support/contrast.ts";
import { browser, looksNoMore, office, shop, useOffice } from "#tests/support/office-in-browser.ts";
import { addPastSales } from "#tests/support/past-sales.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";

useOffice({ WEB_CONCURRENCY: "2" });
beforeAll(() => addPastSales(shop, 20));

async function signedIn(width: number) {
  const visitor = await newVisitor(browser, { viewport: { width, height: 800 } });
  const form = { intent: "demo" };
  const signIn = await visitor.context.request.post(`${office}/sign-in`, {
    form,
    headers: { origin: office },
    maxRedirects: 0,
  });
  expect(signIn.status()).toBe(302);
  return visitor;
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
/** The complaints without those about status 422, with which a refused form is answered. */
const faults = (complaints: string[]) => complaints.filter((line) => !/status of 422/.test(line));

/** Expects no findings of axe and no sideways scrolling. */
async function isInOrder(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

/** The page from each of the shop's processes: several connections reach both. */
async function pages(path: string): Promise<string[]> {
  return Promise.all(
    Array.from({ length: 8 }, async () => {
      const answer = await fetch(shop.url + path, { headers: { connection: "close" } });
      return answer.text();
    }),
  );
}
const isShown = (path: string, text: string) =>
  vi.waitUntil(async () => (await pages(path)).every((html) => html.includes(text)), { timeout: 30_000, interval: 50 });
const BUSY_MACHINE = 9000; // ms
async function shownWithinASecond(path: string, text: string): Promise<void> {
  const pressed = performance.now();
  await isShown(path, text);
  expect(performance.now() - pressed).toBeLessThan(1000 + BUSY_MACHINE);
}

describe.each([1440, 360])("at %i px", (width) => {
  test("a rate is set, one far from the last is asked about, and its history says who", async () => {
    const { page, complaints, context } = await signedIn(width);
    await page.goto(`${office}/money`);
    await isInOrder(page);
    const now = width > 1000 ? "1650" : "1700";
    await page.getByLabel("New rate").fill(now);
    await page.getByText(`$49.99: `).waitFor();
    await press(page, "Set the rate");
    await page.getByText("from now on.").waitFor();
    await page.getByLabel("New rate").fill("17000");
    await press(page, "Set the rate");
    await page.getByText("More than 25% from the last one.").waitFor();
    await isInOrder(page);
    expect((await ask(ownerUrl(shop), "select rate from exchange_rates order by id desc limit 1"))[0]?.rate).toMatch(
      now,
    );
    expect(await page.getByRole("table", { name: "Rates that were in force" }).textContent()).toContain(
      "owner@irepo.example",
    );
    for (const path of ["payments", "issues", "receipts", "takings", "review"]) {
      await page.goto(`${office}/money/${path}`);
      await isInOrder(page);
    }
    await press(page, "Compare");
    await page.getByText(/looked at|Everything agrees/).waitFor();
    await isInOrder(page);
    expect(faults(complaints)).toEqual([]);
    await context.close();
  });

  test("a delivery rate is typed over; of two on one place the later one sees both", async () => {
    const [bisi, tunde] = [await signedIn(width), await signedIn(width)];
    const cell = (page: Page) => page.getByLabel("Lagos in dollars");
    for (const { page } of [bisi, tunde]) await page.goto(`${office}/delivery`);
    await isInOrder(bisi.page);
    await cell(bisi.page).fill(width > 1000 ? "3.80" : "4.20");
    await cell(tunde.page).fill("4.00");
    await press(tunde.page, "Save");
    await tunde.page.getByText("1 place changed.").waitFor();
    const save = bisi.page.getByRole("button", { name: "Save", exact: true });
    await save.dispatchEvent("click"); // the screen may have noticed the change already, and then does nothing
    await bisi.page.getByText("Somebody else has changed Lagos meanwhile").waitFor();
    await isInOrder(bisi.page);
    await press(bisi.page, "Keep mine");
    await press(bisi.page, "Save");
    await bisi.page.getByText("1 place changed.").waitFor();
    for (const kind of ["pickup", "country"]) {
      await bisi.page.goto(`${office}/delivery?kind=${kind}`);
      await isInOrder(bisi.page);
    }
    for (const { complaints, context } of [bisi, tunde]) {
      expect(faults(complaints)).toEqual([]);
      await context.close();
    }
  });

  test("of a pick-up centre only what was typed is changed; where two typed the same both are shown", async () => {
    const [ada, bola] = [await signedIn(width), await signedIn(width)];
    const centre = (page: Page) => page.getByRole("listitem").filter({ hasText: "Ikeja" }).first();
    const field = (page: Page, name: string) => centre(page).getByRole("textbox", { name, exact: false });
    const hours = `Mon-Fri 10:00-16:00, ${width}`;
    for (const { page } of [ada, bola]) {
      await page.goto(`${office}/delivery?kind=pickup`);
      await centre(page).locator("summary").click();
    }
    await field(bola.page, "Rate").fill(width > 1000 ? "2.60" : "2.70");
    await field(bola.page, "Landmark").fill(`Bola, ${width}`);
    await field(ada.page, "Hours").fill(hours);
    await field(ada.page, "Landmark").fill(`Ada, ${width}`);
    await press(ada.page, "Save");
    await ada.page.getByText("1 place changed.").waitFor();
    await bola.page.getByRole("button", { name: "Save", exact: true }).dispatchEvent("click");
    await bola.page.getByText(`Landmark: theirs “Ada, ${width}”, yours “Bola, ${width}”`).waitFor();
    await bola.page.getByText(`Hours: now “${hours}”`).waitFor();
    await isInOrder(bola.page);
    await press(bola.page, "Keep mine");
    await press(bola.page, "Save");
    await bola.page.getByText("1 place changed.").waitFor();
    const [ikeja] = await ask(ownerUrl(shop), "select * from shipping_rates where name = 'Ikeja City Mall'");
    expect(ikeja).toMatchObject({
      rate_cents: width > 1000 ? 260 : 270,
      details: { hours, landmark: `Bola, ${width}` },
    });
    for (const { complaints, context } of [ada, bola]) {
      expect(faults(complaints)).toEqual([]);
      await context.close();
    }
  });

  test("a file with mistakes shows each of them, and what it would change, before anything is written", async () => {
    const { page, complaints, context } = await signedIn(width);
    await page.goto(`${office}/delivery/import`);
    const cents = width > 1000 ? "9.10" : "9.20";
    await page.getByLabel("Rows").fill(`kind,name,dollars\nstate,Kano,${cents}\nstate,Ogun,free\ncountry,Wakanda,20`);
    await page.getByText("2 mistakes.").waitFor();
    await page.getByText("Row 3, dollars: 'free' isn’t a rate in dollars").waitFor();
    await isInOrder(page);
    await press(page, "Write 1 change");
    await page.getByText("1 place changed.").waitFor();
    await isInOrder(page);
    expect(faults(complaints)).toEqual([]);
    await context.close();
  });

  test("what cannot be undone asks first: a charge that goes back, an issue that is closed, a member who is removed", async () => {
    const { page, complaints, context } = await signedIn(width);
    const reference = `strange-${width}`;
    const email = `gone-${width}@example.com`;
    await ask(
      ownerUrl(shop),
      `insert into payment_issues (reference, kind) values ('${reference}', 'unknown-reference')`,
    );
    await ask(ownerUrl(shop), `insert into staff (email, role, name) values ('${email}', 'reader', 'Gone ${width}')`);
    const left = async () => [
      ...(await ask(
        ownerUrl(shop),
        `select 1 from payment_issues where reference = '${reference}' and resolved_at is null`,
      )),
      ...(await ask(ownerUrl(shop), `select 1 from staff where email = '${email}'`)),
    ];
    await page.goto(`${office}/money/issues`);
    await press(page, `Refund it: ${reference}`);
    await page.getByText("is refunded to the payer.").waitFor();
    await page.keyboard.press("Escape");
    await press(page, `It was looked into: ${reference}`);
    await page.getByText("leaves the list for good").waitFor();
    expect((await left()).length).toBe(2);
    await press(page, "Close it for good");
    await page.getByText("Looked into.").waitFor();
    expect((await left()).length).toBe(1);
    await page.goto(`${office}/staff`);
    await page.getByText(`Gone ${width}`).first().click();
    await press(page, `Remove Gone ${width}`);
    await page.getByText(`${email} can’t use the office`).waitFor();
    expect((await left()).length).toBe(1);
    await press(page, "Remove from the staff");
    await page.getByText(`${email} is removed`).waitFor();
    expect(await left()).toEqual([]);
    expect(faults(complaints)).toEqual([]);
    await context.close();
  });

  test("a notice and a contact show in the shop within a second, in each of its processes", async () => {
    const { page, complaints, context } = await signedIn(width);
    await page.goto(`${office}/shop`);
    await isInOrder(page);
    await pages("/about"); // the page is cached now
    await page.getByLabel("Text").fill(`We send again on Monday, at ${width}`);
    await press(page, "Save");
    await shownWithinASecond("/about", `We send again on Monday, at ${width}`);
    await page.getByLabel("Email").fill(`help-${width}@shop.example`);
    await press(page, "Save");
    await shownWithinASecond("/returnpolicy", `help-${width}@shop.example`);
    await page.getByLabel("Most in one order").fill("0");
    await page.getByText("Not saved yet").waitFor();
    await press(page, "Save");
    await page.getByText("A number from 1 on, like 10").waitFor();
    const wrong = page.getByLabel("Most in one order");
    await expect.poll(() => wrong.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await wrong.inputValue()).toBe("0");
    await isInOrder(page);
    await page.goto(shop.url);
    await page.getByText("We send again on Monday").waitFor();
    await isInOrder(page);
    expect(faults(complaints)).toEqual([]);
    await context.close();
  });
});

/** A picture whose every pixel has another colour, so that no words are readable on it. */
async function loudPicture(width: number, height: number) {
  const buffer = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return { name: "loud.png", mimeType: "image/png", buffer };
}

/** Expects the words of the first slide, and its link, to be readable on screens of all sizes. */
async function areReadable(link: string): Promise<void> {
  const shopper = await newVisitor(browser, { reducedMotion: "reduce" });
  for (const [wide = 0, high = 0] of WINDOWS) {
    await shopper.page.setViewportSize({ width: wide, height: high });
    await shopper.page.goto(shop.url, { waitUntil: "networkidle" });
    const slide = shopper.page.locator('[aria-roledescription="slide"]:not([inert])');
    await slide.locator("img").evaluate((img: HTMLImageElement) => img.decode());
    for (const words of [
      slide.locator("p").first(),
      slide.locator("p").nth(1),
      slide.getByRole("link", { name: link }),
    ])
      expect(await leastContrast(shopper.page, words)).toBeGreaterThanOrEqual(4.5);
  }
  expect(shopper.complaints).toEqual([]);
  await shopper.context.close();
}

test.each([1440, 360])(
  "at %i px two change the home page's slides; words stand on flat colour on any picture",
  async (width) => {
    const { page, complaints, context } = await signedIn(width);
    await page.goto(`${office}/shop`);
    await page.getByRole("link", { name: "Change slides" }).click();
    await page.getByRole("heading", { level: 1, name: "Home page" }).waitFor();
    await isInOrder(page);
    await press(page, "Add a slide");
    await press(page, "Save the slides");
    await page.getByText("Give it a title").waitFor();
    await isInOrder(page);
    const title = `Made\nin Lagos\n${width}`;
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Line below it").fill("Sewn by hand, and sent within a day");
    await page.getByLabel("Brown").check();
    const field = (name: string) => page.getByRole("group", { name });
    await field("Picture for wide windows")
      .getByLabel("Add a picture")
      .setInputFiles(await loudPicture(300, 200));
    await field("Picture for phones")
      .getByLabel("Add a picture")
      .setInputFiles(await loudPicture(200, 280));
    await field("Picture for phones").getByLabel("From the top").fill("20");
    await page.getByLabel("Description of the picture").fill("Threads of all colours");
    await page.getByLabel("Link to").selectOption("About us");
    // Moves the last slide before all others by keyboard.
    await page.getByRole("row").last().focus();
    for (const [key, leads] of [
      ["ArrowRight", /^Move slide 4/],
      ["Enter", /^Insert after Slide 4/],
      ["Home", /^Insert before Slide 1/],
      ["Enter", /^Slide 1: Made in Lagos/],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toMatch(leads);
    }
    await page.goto(`${office}/shop`);
    await page.goto(`${office}/shop/hero`);
    await page.getByText("Your unsaved changes are back.").waitFor();
    await page.getByRole("row", { name: /^Slide 1: Made in Lagos/ }).waitFor();
    await looksNoMore(page);
    const other = await signedIn(width);
    await other.page.goto(`${office}/shop/hero`);
    await press(other.page, "Remove the slide");
    await press(other.page, "Save the slides");
    await other.page.getByText("Saved. The shop shows it now.").waitFor();
    await other.context.close();
    const save = page.getByRole("button", { name: "Save the slides" });
    await save.click();
    await page.getByText("Somebody else has changed the slides.").waitFor();
    await isInOrder(page);
    await press(page, "Keep mine");
    await press(page, "Save the slides");
    await page.getByText("Saved. The shop shows it now.").waitFor();
    await isShown("/", title);
    await isInOrder(page);
    expect(faults(complaints)).toEqual([]);

    if (width === 1440) await areReadable("About us");
    const saving = Promise.withResolvers<Route>();
    const hold = (route: Route) => (route.request().method() === "POST" ? saving.resolve(route) : route.continue());
    await page.route("**/shop/hero.data*", hold);
    await press(page, "Reset to the first three");
    await press(page, "Save the slides");
    const answer = await saving.promise;
    const words = page.getByRole("textbox", { name: /^Title/ });
    await words.fill("Typed\nmeanwhile");
    await answer.continue();
    await page.unroute("**/shop/hero.data*", hold);
    await isShown("/", "Wear\nthe same\nheart");
    await page.getByText("Not saved yet").waitFor();
    await page.getByRole("button", { name: "Save the slides" }).waitFor();
    expect(await words.inputValue()).toBe("Typed\nmeanwhile");
    await press(page, "Save the slides");
    await isShown("/", "Typed\nmeanwhile");
    await press(page, "Reset to the first three");
    await press(page, "Save the slides");
    await page.getByText("Saved. The shop shows it now.").waitFor();
    await isShown("/", "Wear\nthe same\nheart");
    await context.close();
  },
);

test.each([1440, 360])("at %i px the home page's sections are arranged, and put back", async (width) => {
  const { page, complaints, context } = await signedIn(width);
  const field = (name: string) => page.getByRole("textbox", { name });
  await page.goto(`${office}/shop`);
  await page.getByRole("link", { name: "Change sections" }).click();
  await page.getByRole("heading", { level: 1, name: "Home page sections" }).waitFor();
  await isInOrder(page);
  await press(page, "Add chosen products");
  await isInOrder(page);
  await press(page, "Remove the section");
  await press(page, "Add a wide picture");
  const title = `The yard ${width}`;
  await field("Title").fill(title);
  await field("Link to").fill("/nowhere");
  await field("Text of the link").fill("See it");
  await field("Description of the picture").fill("Threads of all colours");
  await page.getByLabel("Add a picture").setInputFiles(await loudPicture(300, 200));
  await page.getByRole("slider").first().waitFor();
  await press(page, "Save the sections");
  await page.getByText("The shop has no page /nowhere.").waitFor();
  await isInOrder(page);
  await field("Link to").fill("/about");
  for (let place = 6; place > 1; place--) await press(page, "Earlier");
  await page.getByRole("row", { name: `Section 1: ${title}` }).waitFor();
  await press(page, "Save the sections");
  await page.getByText("Saved. The shop shows it now.").waitFor();
  await isShown("/", title);
  const shopper = await newVisitor(browser, { viewport: { width, height: 800 } });
  await shopper.page.goto(shop.url);
  const titles = await shopper.page.getByRole("heading", { level: 2 }).allTextContents();
  expect(titles.indexOf("New arrivals")).toBe(titles.indexOf(title) + 1);
  await shopper.page.getByRole("heading", { level: 2, name: title }).scrollIntoViewIfNeeded();
  await isInOrder(shopper.page);
  await shopper.context.close();
  await press(page, "Reset to the first five");
  await press(page, "Save the sections");
  await isShown("/", "It starts with the cloth");
  await vi.waitUntil(async () => (await pages("/")).every((html) => !html.includes(title)), { timeout: 30_000 });
  expect(faults([...complaints, ...shopper.complaints])).toEqual([]);
  await context.close();
});

test("by the keyboard alone two delivery rates are changed", async () => {
  const { page, complaints, context } = await signedIn(1440);
  await page.goto(`${office}/delivery`);
  await page.getByLabel("Search states").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("8.50");
  await page.keyboard.press("Enter");
  await page.keyboard.type("11.50");
  const save = page.getByRole("button", { name: "Save", exact: true });
  for (let at = 0; at < 50 && !(await save.evaluate((one) => one === document.activeElement)); at++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("2 places changed.").waitFor();
  expect(faults(complaints)).toEqual([]);
  await context.close();
});
