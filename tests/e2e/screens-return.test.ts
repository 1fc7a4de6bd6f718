import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { lostText, sideways } from "#tests/support/layout.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const PICTURES = ["db/demo/images/rings-tee-front.jpg", "db/demo/images/rings-tee-back.jpg"];
let page: Page;
let context: BrowserContext;
let complaints: string[];
let reference: string;
let shoppers = 0;

/** Opens the return's page of a delivered order: two jerseys and a tee, all in M. */
async function opens(viewport: { width: number; height: number }, javaScriptEnabled = true): Promise<void> {
  const customer = await newCustomer(shop, `return-form-${++shoppers}@example.com`);
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "2" });
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  const paid = await pressPay(customer);
  reference = await endPayment(paid.headers.get("location") ?? "", "success");
  await customer.get(`/order/${reference}`);
  await ask(
    ownerUrl(shop),
    `update sales set fulfilled_at = now() - interval '1 hour', delivered_at = now() where reference = '${reference}'`,
  );
  ({ page, context, complaints } = await newVisitor(browser, { viewport, javaScriptEnabled }));
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.addInitScript(() => self === top && localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/order/${reference}/return`, { waitUntil: "networkidle" });
}

afterEach(async () => {
  expect(complaints).toEqual([]);
  await context.close();
});

const jerseys = () => page.getByRole("region", { name: "Unity Home Jersey" });
const tee = () => page.getByRole("region", { name: "Linked Rings Tee" });
const count = () => jerseys().getByRole("spinbutton", { name: "How many are you returning?" });
const choose = (where: typeof jerseys, name: string) => where().getByRole("radio", { name, exact: true }).check();
const says = () => page.getByRole("complementary", { name: "In short" }).getByRole("definition").allInnerTexts();
const sent = () =>
  ask(
    ownerUrl(shop),
    `select product_id, quantity, new_size from return_pieces join returns on returns.id = return_id where reference = '${reference}' order by product_id`,
  );
const send = () => page.getByRole("button", { name: "Send request" }).click();

describe.each([
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
])("at $width px", (viewport) => {
  beforeEach(() => opens(viewport));

  test("beside the choice stands what it means, until nothing is chosen", async () => {
    await tee().getByRole("checkbox").check();
    await jerseys().getByRole("button", { name: "One more" }).click();
    await choose(jerseys, "L");
    const [jersey, other] = ["Unity Home Jersey, Palm Green", "Linked Rings Tee, Off White"];
    expect(await says()).toEqual([
      `1 × ${jersey}, M\n1 × ${other}, M`,
      `1 × ${jersey}, L`,
      expect.stringContaining("₦39,984"),
    ]);
    expect(await jerseys().getByRole("checkbox").isChecked()).toBe(true);
    expect([await violations(page), await lostText(page), await sideways(page)]).toEqual([[], [], 0]);

    await choose(jerseys, "Refund");
    const more = jerseys().getByRole("button", { name: "One more" });
    for (const force of [false, true]) await more.click({ force }); // the second press is beyond the ordered number
    expect(await count().inputValue()).toBe("2");
    expect((await says()).at(-1)).toContain("₦199,952");

    await count().fill("0");
    expect(await jerseys().getByRole("checkbox").isChecked()).toBe(false);
    expect(await jerseys().getByRole("radio").first().isVisible()).toBe(false);
    await jerseys().getByRole("checkbox").check();
    expect(await count().inputValue()).toBe("1");
    for (const where of [jerseys, tee]) await where().getByRole("checkbox").uncheck();
    expect(await says()).toEqual([]);
  });

  test("photographs are shown, can be removed, and go with the request; their upload shows how far it is", async () => {
    await tee().getByRole("checkbox").check();
    await page.getByRole("radio", { name: "It’s damaged" }).check();
    await page.getByRole("textbox", { name: "What should we know?" }).fill("A seam is open");
    const chosen = page.getByRole("list", { name: "Chosen photographs" });
    await page.getByLabel(/^Photographs/).setInputFiles([...PICTURES, "package.json"]);
    await chosen.getByRole("img", { name: "rings-tee-back.jpg" }).waitFor();
    await chosen.getByText("package.json", { exact: true }).waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await chosen.getByRole("button", { name: "Remove package.json" }).click();

    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/pictures", (route) => goesOn.then(() => route.continue()), { times: 1 });
    await send();
    await page.getByRole("progressbar", { name: "Sending your photographs" }).waitFor();
    expect(await violations(page)).toEqual([]);
    goOn();
    await page.getByAltText("What you have sent, 2 of 2").waitFor();
    expect(await chosen.count()).toBe(0);
  });
});

test("on a phone the request is sent at the foot of the window, below a header that only leads back to the order", async () => {
  await opens({ width: 360, height: 740 });
  const button = await page.getByRole("button", { name: "Send request" }).boundingBox();
  expect(740 - (button?.y ?? 0) - (button?.height ?? 0)).toBeLessThan(12);
  expect(button?.width).toBe(328);
  expect(await page.getByRole("navigation").count()).toBe(0);
  await page
    .getByRole("banner")
    .getByRole("link", { name: /^Order IR-/ })
    .click();
  await page.waitForURL(`**/order/${reference}`);
});

test("of more than four photographs the first four are kept, which is said", async () => {
  await opens({ width: 1440, height: 900 });
  await page.getByRole("radio", { name: "It’s damaged" }).check();
  const five = ["rings-tee", "rings-tote", "one-mind-tee", "unity-scarf", "ankara-jersey"];
  await page.getByLabel(/^Photographs/).setInputFiles(five.map((name) => `db/demo/images/${name}-front.jpg`));
  await page.getByText("You can add up to 4: we kept the first 4.").waitFor();
  const chosen = page.getByRole("list", { name: "Chosen photographs" }).getByRole("img");
  expect(await chosen.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).alt))).toEqual(
    five.slice(0, 4).map((name) => `${name}-front.jpg`),
  );
});

test("another colour of the model is chosen with the keyboard, and named beside the choice", async () => {
  const inOneModel = (title: string) =>
    ask(ownerUrl(shop), `update products set title = '${title}' where id = 'unity-away-jersey'`);
  await inOneModel("Unity Home Jersey");
  await opens({ width: 360, height: 740 });
  await inOneModel("Unity Away Jersey");
  await jerseys().getByRole("button", { name: "One more" }).click();
  const cream = jerseys().getByRole("radio", { name: "Cream, L", exact: true });
  await jerseys().getByRole("radio", { name: "Refund" }).focus();
  for (let presses = 0; presses < 12 && !(await cream.isChecked()); presses++) await page.keyboard.press("ArrowDown");
  expect((await says())[1]).toBe("1 × Unity Home Jersey, Cream, L");
  expect([await violations(page), await lostText(page), await sideways(page)]).toEqual([[], [], 0]);
});

const TEE_FOR_L_AND_TWO_JERSEYS = [
  { product_id: "rings-tee", quantity: 1, new_size: "L" },
  { product_id: "unity-home-jersey", quantity: 2, new_size: null },
];

test("what is chosen before the page's script has loaded counts", async () => {
  await opens({ width: 360, height: 740 });
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/*.js", (route) => goesOn.then(() => route.continue()));
  await page.reload({ waitUntil: "commit" });
  await tee().getByRole("checkbox").check();
  await choose(tee, "L");
  await count().fill("2");
  goOn();
  await expect.poll(async () => (await says()).length).toBe(3);
  expect((await says()).at(-1)).toContain("₦159,968");
  expect(await jerseys().getByRole("checkbox").isChecked()).toBe(true);
  await page.getByRole("radio", { name: "It doesn’t fit" }).check();
  await send();
  await page.getByRole("heading", { name: "Exchange requested" }).waitFor();
  expect(await sent()).toEqual(TEE_FOR_L_AND_TWO_JERSEYS);
});

test("without script a tick and a number are sent with what is wanted for each", async () => {
  await opens({ width: 360, height: 740 }, false);
  await tee().getByRole("checkbox").check();
  await choose(tee, "L");
  await count().fill("2");
  await page.getByRole("radio", { name: "It doesn’t fit" }).check();
  await send();
  await page.getByRole("heading", { name: "Exchange requested" }).waitFor();
  expect(await sent()).toEqual(TEE_FOR_L_AND_TWO_JERSEYS);
});
