import type { Page } from "playwright-core";
import type { Desk } from "./desk.ts";
import type { BenchShop } from "./shop.ts";

// The steps of each of the owner's tasks, from the screen Today until a screen says that it is done.

export const JERSEY = "unity-home-jersey";
const TITLE = /^Unity Home Jersey/;
/** The number of orders on one page of the list. */
export const UNSENT = 50;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const place = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Office" }).getByRole("link", { name });
const view = (page: Page, name: string) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name });
const waiting = (page: Page, name: RegExp) => page.getByRole("main").getByRole("link", { name });
/** The first link of a list's first row. */
const newest = (page: Page, list: string) =>
  page.getByRole("table", { name: list }).locator("tbody tr").first().getByRole("link").filter({ visible: true });
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

export async function findByPhone({ page, click, type }: Desk): Promise<void> {
  await click(place(page, "Orders"));
  await click(page.getByRole("searchbox"));
  await type("08030000055");
  await says(page, "1 order, ");
  await click(newest(page, "All"));
  await says(page, "shopper55@example.com");
}

export async function printSlips({ page, click }: Desk): Promise<void> {
  await click(waiting(page, /Orders to send/));
  await click(page.locator("label", { hasText: "All on this page" }));
  await click(page.getByRole("link", { name: "Slips" }));
  await button(page, "Print").waitFor();
  const slips = await page.getByRole("article").count();
  if (slips !== UNSENT) throw new Error(`There are ${slips} slips`);
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute("data-printed", "");
  });
  await click(button(page, "Print"));
  await page.locator("[data-printed]").waitFor();
}

export async function sendFifty({ page, click, key, paste }: Desk, { sql }: BenchShop): Promise<void> {
  const { rows } = await sql(
    "select number from orders join sales on order_id = orders.id where fulfilled_at is null order by number",
  );
  await click(waiting(page, /Orders to send/));
  await click(page.locator("label", { hasText: "All on this page" }));
  await click(page.getByRole("link", { name: "Mark as sent" }));
  await click(page.getByLabel("Rows (up"));
  await key("Control+a");
  await paste(rows.map(({ number }, at) => `${number}\tGIG Logistics\tGIG-${at}`).join("\n"));
  await click(button(page, `Mark ${UNSENT} as sent`));
  await says(page, `${UNSENT} orders are marked as sent.`);
}

/** Opens the newest order, and then one of its panels. */
async function openPanel({ page, click }: Desk, name: string): Promise<void> {
  await click(newest(page, "New orders"));
  await click(page.getByRole("link", { name, exact: true }));
  await page.getByRole("heading", { level: 2, name }).waitFor();
}

export async function sendOne(desk: Desk): Promise<void> {
  const { page, click, key, type } = desk;
  await openPanel(desk, "Mark as sent");
  await click(page.getByLabel("Its number"));
  await type("DHL-4711");
  await key("Enter");
  await says(page, "Sent off; the shopper is told.");
}

export async function refundOne(desk: Desk): Promise<void> {
  const { page, click, choose } = desk;
  await openPanel(desk, "Refund a part");
  await click(button(page, "One more"));
  await choose(page.getByLabel("Reason"), "Too small");
  await click(button(page, /^Give back ₦/));
  await says(page, "goes back; the shopper is told.");
}

async function openReturn({ page, click }: Desk): Promise<void> {
  await click(waiting(page, /Returns waiting/));
  await click(newest(page, "Open"));
}

export async function approve(desk: Desk): Promise<void> {
  await openReturn(desk);
  await desk.click(button(desk.page, "Approve"));
  await desk.click(button(desk.page, "Yes, approve it"));
  await says(desk.page, "Approved; the shopper is told.");
}

export async function receiveAndRefund(desk: Desk): Promise<void> {
  const { page, click } = desk;
  await click(place(page, "Returns"));
  await click(newest(page, "Open"));
  await click(button(page, "The pieces are here"));
  await click(button(page, "Yes, they are here"));
  await click(button(page, /^Give back ₦/));
  await click(button(page, "Yes, give it back"));
  await says(page, "goes back; the shopper is told.");
}

async function openStock({ page, click }: Desk): Promise<void> {
  await click(place(page, "Products"));
  await click(view(page, "Stock"));
}

export async function changeStock(desk: Desk): Promise<void> {
  const { page, click, key, type } = desk;
  await openStock(desk);
  const row = page.getByRole("row", { name: TITLE });
  await click(row.locator('[data-cell$=" 3"]'));
  await type("37");
  await key("Control+s");
  await says(page, "1 size is saved.");
}

export async function pasteStock(desk: Desk): Promise<void> {
  const { page, click, key, paste } = desk;
  await openStock(desk);
  await click(page.locator('[data-cell="0 0"]'));
  const block = [61, 66, 71].map((first) => Array.from({ length: 5 }, (_, at) => first + at).join("\t"));
  await paste(block.join("\n"));
  await key("Control+s");
  await says(page, "15 sizes are saved.");
}

export async function changePrice({ page, click, key, type }: Desk): Promise<void> {
  await click(place(page, "Products"));
  await click(page.getByRole("link", { name: TITLE }).filter({ visible: true }));
  await click(page.getByLabel("Price in dollars"));
  await key("Control+a");
  await type("51.99");
  await key("Enter");
  await says(page, "Saved.");
}

export async function publish({ page, click, key, type, pickFiles }: Desk): Promise<void> {
  await click(place(page, "Products"));
  await click(page.getByRole("link", { name: "New product" }));
  const pictures = ["front", "back", "detail"].map((side) => `db/demo/images/one-mind-tee-${side}.jpg`);
  await pickFiles(page.getByLabel("Add pictures"), pictures);
  await click(page.getByLabel("Title"));
  await type("Palm Jersey");
  await key("Tab");
  await type("Green");
  await click(page.getByLabel("Price in dollars"));
  await type("49.99");
  await click(page.getByLabel("Pieces of S"));
  await type("4");
  await key("Tab");
  await type("8");
  await click(page.getByText("Published", { exact: true }));
  await page.getByRole("row").nth(2).waitFor();
  await click(button(page, "Add the product"));
  await says(page, "Added.");
}
