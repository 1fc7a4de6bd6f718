import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PAID, seesAfter } from "#tests/support/browser.ts";
import {
  asked,
  button,
  heading,
  office,
  shop,
  shopper,
  staff,
  useOffice,
  WAYS,
  type Way,
} from "#tests/support/office-in-browser.ts";
import { faultsIn } from "#tests/support/shop-books.ts";

useOffice();

const picture = (name: string) => `db/demo/images/one-mind-tee-${name}.jpg`;
const inShop = async (id: string) => (await fetch(`${shop.url}/singleProduct/${id}`)).text();

/** The alternative texts of a product's pictures, in their order. */
async function order(id: string): Promise<unknown[]> {
  const rows = await asked(
    `select alt from products, jsonb_to_recordset(images) as image(alt text) where id = '${id}'`,
  );
  return rows.map(({ alt }) => alt);
}

/** Moves the second picture before the first one: by dragging, by the button for it, or by the list's keys. */
async function moveSecondFirst({ page, hand }: Awaited<ReturnType<typeof staff>>, { by }: Way): Promise<void> {
  const tile = (name: string) => page.getByRole("row", { name });
  if (by === "mouse") await tile("Picture 2").dragTo(tile("Picture 1"), { targetPosition: { x: 4, y: 40 } });
  if (by === "finger") {
    await hand.press(button(page, "Words and focus of picture 2"));
    await hand.press(button(page, "Earlier"));
  }
  if (by === "keyboard") {
    await hand.press(button(page, "Move picture 2"));
    for (const leads of [/^Insert between Picture 2/, /^Insert between Picture 1/, /^Insert before Picture 1/]) {
      await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toMatch(leads);
      await page.keyboard.press(leads.source.includes("before") ? "Enter" : "ArrowLeft");
    }
  }
  await tile("Picture 1: from the front").waitFor();
}

/** A shopper finds the product in the shop, with its three pictures, and pays for one. */
async function buys(way: Way, id: string): Promise<void> {
  const { page, hand, leaves } = await shopper(way, `ada-${way.by}@example.com`, `/singleProduct/${id}`);
  for (const words of ["from the front", "from behind", "close"])
    await page.getByRole("img", { name: words }).first().waitFor({ state: "attached" });
  await hand.tick(page.getByRole("radio", { name: "M", exact: true }));
  await hand.press(page.getByRole("button", { name: "Add to Cart" }));
  await hand.press(page.getByRole("link", { name: /^checkout$/i }));
  const form = page.getByRole("main");
  await hand.tick(form.getByLabel("Home Delivery"));
  await hand.choose(form.getByLabel("State"), "Lagos");
  await hand.type(form.getByLabel("Street and number"), "1 Broad Street");
  await hand.type(form.getByLabel("Phone"), "08031234567");
  await hand.press(form.getByRole("button", { name: /^Pay Now/ }));
  const ways = page.getByRole("dialog", { name: "Choose a Payment Method" });
  await hand.press(ways.getByRole("button", { name: /^Card/ }));
  await seesAfter(page, PAID, () => hand.press(paymentPage(page).getByRole("button", { name: "Pay success" })));
  await leaves();
}
const paymentPage = (page: Page) => page.frameLocator('iframe[id^="inline-checkout-"]');

describe.each(WAYS)("by $by, at $width px", (way) => {
  test("a product with three pictures, from nothing to sold", async () => {
    const owner = await staff(way, "/products");
    const { page, hand, isInOrder, leaves } = owner;
    const title = `Palm Jersey by ${way.by}`;
    const id = `palm-jersey-by-${way.by}`;
    await heading(page, "Products").waitFor();
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "New product" }));
    await heading(page, "New product").waitFor();
    await isInOrder();

    await hand.upload(page.getByLabel("Add pictures"), [picture("back"), picture("front"), picture("detail")]);
    await page.getByRole("row").nth(2).waitFor();
    for (const [at, words] of ["from behind", "from the front", "close"].entries()) {
      await hand.press(button(page, `Words and focus of picture ${at + 1}`));
      await hand.type(page.getByLabel("Words for the"), words);
    }
    await hand.slide(page.getByLabel("From the top"), 20);
    await moveSecondFirst(owner, way);
    await hand.type(page.getByLabel("Title"), title);
    await hand.type(page.getByLabel("Colour"), "Green");
    await hand.type(page.getByLabel("Price in dollars"), "0.49");
    await page.getByText("$0.49 is less than a dollar.").waitFor();
    await hand.type(page.getByLabel("Price in dollars"), "49.99");
    await page.getByText("₦79,984").waitFor();
    await hand.type(page.getByLabel("Pieces of M"), "3");
    await hand.tick(page.getByRole("radio", { name: "Published" }));
    await isInOrder();
    await hand.press(button(page, "Add the product"));
    await heading(page, title).waitFor();
    await page.getByText("Added.", { exact: true }).waitFor();
    expect(await order(id)).toEqual(["from the front", "from behind", "close"]);
    await isInOrder();

    await expect.poll(() => inShop(id)).toContain("object-position:50% 20%");
    await buys(way, id);
    await expect
      .poll(() => asked(`select sold, on_hand from product_sizes where product_id = '${id}' and size = 'M'`))
      .toEqual([{ sold: 1, on_hand: 2 }]);
    await hand.pick(button(page, "More"), "Delete");
    await hand.press(button(page, "Delete it"));
    await page.getByText("It’s been ordered").waitFor();
    await leaves();
    expect(await faultsIn(shop)).toEqual([]);
  });

  test("of two on one product the later one sees both, chooses, and loses nothing", async () => {
    const [bisi, chidi] = [await staff(way, "/products/ankara-jersey"), await staff(way, "/products/ankara-jersey")];
    const price = ({ page }: typeof bisi): Locator => page.getByLabel("Price in dollars");
    const before = Number(await price(bisi).inputValue());
    const bar = await button(bisi.page, "Save").boundingBox();
    const height = bisi.page.viewportSize()?.height ?? 0;
    expect((bar?.y ?? height) + (bar?.height ?? 0)).toBeLessThanOrEqual(height); // no scrolling to the form's end
    expect(await bisi.page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(height);
    const [hers, his] = [(before + 2).toFixed(2), (before - 1).toFixed(2)];
    await bisi.hand.type(price(bisi), hers);
    await bisi.hand.type(bisi.page.getByLabel("Description"), `Wax print by ${way.by}`);
    await chidi.hand.type(price(chidi), his);
    await chidi.hand.type(chidi.page.getByLabel("Colour"), `Teal by ${way.by}`);
    await chidi.hand.press(button(chidi.page, "Save"));
    await chidi.page.getByText("Saved.", { exact: true }).waitFor();

    const save = button(bisi.page, "Save");
    // As if she returned to the tab.
    await bisi.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await bisi.page.getByText("One field differs").waitFor();
    await bisi.page.getByText(`${chidi.name} saved this product`).waitFor();
    await bisi.isInOrder();
    expect(await save.isEnabled()).toBe(false);
    expect(await price(bisi).inputValue()).toBe(hers);
    await bisi.page.reload(); // the device keeps what was typed
    await bisi.page.getByText("One field differs").waitFor();
    await bisi.hand.press(button(bisi.page, "Keep mine (price)"));
    expect(await bisi.page.getByLabel("Colour").inputValue()).toBe(`Teal by ${way.by}`);
    await bisi.hand.press(save);
    await bisi.page.getByText("Saved.", { exact: true }).waitFor();
    const [row] = await asked("select price_cents, color, description from products where id = 'ankara-jersey'");
    expect(row).toEqual({
      price_cents: Math.round(Number(hers) * 100),
      color: `Teal by ${way.by}`,
      description: `Wax print by ${way.by}`,
    });
    await bisi.page.getByText(`$${his} → $${hers}`).waitFor();
    await bisi.isInOrder();
    await Promise.all([bisi.leaves(), chidi.leaves()]);
    expect(await faultsIn(shop)).toEqual([]);
  });
});

test.each(WAYS.slice(0, 2))(
  "title and price come before the pictures on a phone, and beside them at $width px",
  async (way) => {
    const { page, leaves } = await staff(way, "/products/ankara-jersey");
    const [title, price, focus] = await Promise.all(
      ["Title", "Price in dollars", "From the top"].map(async (label) => {
        const { x = 0, y = 0 } = (await page.getByLabel(label).boundingBox()) ?? {};
        return { x, y };
      }),
    );
    const rows = [title?.y, price?.y, focus?.y].map(Number);
    if (way.by === "finger") expect(rows).toEqual(rows.toSorted((one, other) => one - other));
    else expect(focus?.x).toBeLessThan(title?.x ?? 0);
    const tops = await Promise.all(
      ["Pictures", "Facts"].map(async (name) => (await heading(page, name, 2).boundingBox())?.y),
    );
    expect(tops[0] === tops[1]).toBe(way.by === "mouse");
    await leaves();
  },
);

test("a picture that does not arrive says why beside it, and can be sent again", async () => {
  const { page, hand, context, isInOrder } = await staff(WAYS[1], "/products/new");
  await page.getByLabel("Title").fill("Kept");
  await context.setOffline(true);
  await page.getByLabel("Add pictures").setInputFiles(picture("front"));
  await page.getByText("No connection", { exact: true }).waitFor();
  await page.getByText("1 picture has not arrived yet").waitFor();
  expect(await button(page, "Add the product").isDisabled()).toBe(true); // it would be sold without the picture
  await context.setOffline(false);
  await hand.press(button(page, "Try again"));
  await page.getByRole("row").first().waitFor();
  await page
    .getByLabel("Add pictures")
    .setInputFiles({ name: "bad.png", mimeType: "image/png", buffer: Buffer.from("no") });
  await page.getByText("This picture can’t be read").waitFor();
  await isInOrder();
  await hand.press(button(page, "Leave it out"));
  const notTaken = [
    { name: "IMG_4711.HEIC", mimeType: "", buffer: Buffer.from("no picture that this browser reads") },
    { name: "size-chart.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") },
    { name: "IMG_4712.MOV", mimeType: "", buffer: Buffer.from("film") },
  ];
  await page.getByLabel("Add pictures").setInputFiles(notTaken); // 23: each of them gets a message
  for (const [at, says] of ["HEIC can’t be read here", "A PDF isn’t a picture", "Videos can’t be shown"].entries())
    await page.getByRole("alert").filter({ hasText: says }).filter({ hasText: notTaken[at]?.name }).waitFor();
  await isInOrder();
  expect(await button(page, "Add the product").isEnabled()).toBe(true); // the form does not wait for them
  for (const _ of notTaken) await hand.press(button(page, "Leave it out").first());
  await page.reload();
  await page.getByText("Your unsaved changes are back.").waitFor();
  expect(await page.getByRole("row").count()).toBe(1);
  expect(await page.getByLabel("Title").inputValue()).toBe("Kept");
  await context.close();
});

test("what was typed last into a product is kept when somebody goes away at once", async () => {
  const { page, leaves } = await staff(WAYS[0], "/products/new");
  await page.getByLabel("Colour").fill("Ochre");
  await page.reload();
  await page.getByText("Your unsaved changes are back.").waitFor();
  expect(await page.getByLabel("Colour").inputValue()).toBe("Ochre");
  await leaves();
});

test("a new product that is half written stays while others are copied and added", async () => {
  const { page, hand, leaves } = await staff(WAYS[0], "/products/new");
  const title = page.getByLabel("Title");
  await title.fill("First");
  await page.getByLabel("Price in dollars").fill("20");
  await hand.press(button(page, "Add the product"));
  await page.getByText("Added.").waitFor();
  const added = page.url();
  await page.goto(`${office}/products/new`);
  await title.fill("Second");
  await page.getByText("Kept on this device").waitFor();
  expect(await page.getByText("here again").count()).toBe(0);
  expect(await page.getByLabel("Price in dollars").inputValue()).toBe("");
  await page.goto(added);
  await hand.pick(button(page, "More"), "Copy as a draft");
  await page.getByText("This is the copy").waitFor();
  await page.goto(`${office}/products/new`);
  await page.getByText("Your unsaved changes are back.").waitFor();
  expect(await title.inputValue()).toBe("Second");
  await leaves();
});

test("nothing can be typed into a new product that is being added", async () => {
  const { page, hand, leaves } = await staff(WAYS[0], "/products/new");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\.data/, (route) => goesOn.then(() => route.continue()));
  const title = page.getByLabel("Title");
  await title.fill("Sent");
  await page.getByLabel("Price in dollars").fill("20");
  await hand.press(button(page, "Add the product"));
  await page.locator("button[data-pending]").waitFor();
  await title.evaluate((field: HTMLInputElement) => field.focus());
  await page.keyboard.type(" and more");
  expect(await title.inputValue()).toBe("Sent");
  goOn();
  await page.getByText("Added.").waitFor();
  expect(await title.inputValue()).toBe("Sent");
  await leaves();
});

test("what was typed before the script came is in the form when it has", async () => {
  const { page, leaves } = await staff(WAYS[0], "/products");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\.js$/, (route) => goesOn.then(() => route.continue()));
  await page.goto(`${office}/products/new`, { waitUntil: "commit" });
  await page.getByLabel("Title").fill("Early");
  await page.getByLabel("Description").fill("Typed at once");
  goOn();
  await page.getByText("Kept on this device").waitFor();
  await page.getByLabel("Colour").fill("Sand");
  expect(await page.getByLabel("Title").inputValue()).toBe("Early");
  expect(await page.getByLabel("Description").inputValue()).toBe("Typed at once");
  await leaves();
});

test("what was typed over a product's text before the script came is in the form when it has, and can be saved", async () => {
  const { page, leaves } = await staff(WAYS[0], "/products");
  const [product] = await asked("select id from products where description <> '' order by id limit 1");
  await asked(`update products set description = E'Two\\r\\nlines' where id = '${product?.id}'`);
  const address = `${office}/products/${product?.id}`;
  await page.goto(address, { waitUntil: "networkidle" });
  await page.getByText("What happened").waitFor();
  expect(await page.getByText("Not saved yet").count()).toBe(0);
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\.js$/, (route) => goesOn.then(() => route.continue()));
  await page.goto(address, { waitUntil: "commit" });
  const description = page.getByLabel("Description");
  await description.fill("Typed over it");
  goOn();
  await page.getByText("Kept on this device").waitFor();
  expect(await description.inputValue()).toBe("Typed over it");
  await button(page, "Save").click();
  const saved = page.getByText("Saved.", { exact: true });
  await saved.waitFor();
  await description.fill("Typed after it");
  await saved.waitFor({ state: "detached" });
  await leaves();
});
