import { expect, test } from "vitest";
import { newVisitor } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { sideways } from "#tests/support/layout.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const EMAIL = "a-rather-long-name.of-a-shopper-in-lagos@example.com";

test("the demo mailbox shows a mail as it looks, whole and with its pictures, on the smallest phones too", async () => {
  const customer = await newCustomer(shop, EMAIL);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  await endPayment((await pressPay(customer)).headers.get("location") ?? "", "success");
  const { subject } = await mailTo(shop.dataDir, EMAIL, /order/);

  const { page, complaints } = await newVisitor(browser, { viewport: { width: 320, height: 640 } });
  await page.goto(`${shop.url}/demo/mail`);
  await page.getByRole("link", { name: `${subject} ${EMAIL}` }).click();
  const frame = page.locator("iframe");
  const mail = frame.contentFrame();
  await mail.getByRole("heading", { name: subject }).waitFor();
  await mail.getByText("Charged ₦").waitFor();
  for (const picture of await mail.locator("img").all())
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const heightOf = () => mail.locator("body").evaluate((body: HTMLElement) => body.offsetHeight);
  for (const width of [360, 320, 700]) {
    await page.setViewportSize({ width, height: 640 });
    await expect
      .poll(async () => Math.abs(((await frame.boundingBox())?.height ?? 0) - (await heightOf())))
      .toBeLessThanOrEqual(2);
    const tooWide = await mail.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
    expect({ width, page: await sideways(page), mail: tooWide }).toEqual({ width, page: 0, mail: 0 });
  }
  await page.getByText("Plain text").click();
  await page.getByRole("article").getByRole("link", { name: "/order/" }).waitFor();
  expect(await sideways(page)).toBe(0);

  expect(complaints).toEqual([]); // before Playwright's click, whose listeners the frame without scripts refuses
  const [opened] = await Promise.all([
    page.waitForEvent("popup"),
    mail.getByRole("link", { name: "View your order" }).click(),
  ]);
  await opened.waitForURL("**/order/**");
}, 120_000);

test("without script, too", async () => {
  const { page } = await newVisitor(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
  await page.goto(`${shop.url}/demo/mail`);
  await page.getByRole("link", { name: "Verify your email" }).first().click();
  await page.locator("iframe").contentFrame().getByRole("link", { name: "Verify my email" }).waitFor();
});
