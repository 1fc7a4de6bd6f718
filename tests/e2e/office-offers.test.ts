import { describe, expect, test } from "vitest";
import { violations } from "#tests/support/axe.ts";
import { newVisitor } from "#tests/support/http-visitor.ts";
import { asked, button, heading, shop, staff, useOffice, WAYS } from "#tests/support/office-in-browser.ts";

useOffice();

const cart = async (code: string) => {
  const guest = newVisitor(shop.url);
  await guest.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  await guest.post("/Cart", { intent: "code", code });
  return (await guest.get("/Cart")).text();
};

describe.each(WAYS)("by $by, at $width px", (way) => {
  test("an offer with a code is made, counts in a cart, is paused and ended", async () => {
    const code = `FRIDAY-${way.width}-${way.by}`;
    const { page, hand, isInOrder, leaves } = await staff(way, "/offers", "catalogue");
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "New offer" }));
    await heading(page, "New offer").waitFor();
    await hand.press(button(page, "Show what it does"));
    await page.getByText("Give it a name: shoppers read it").waitFor();
    await isInOrder();
    await hand.type(page.getByLabel(/^Name/), `Friday by ${way.by}`);
    await hand.type(page.getByLabel("Percent", { exact: true }), "15");
    await hand.tick(page.getByRole("radio", { name: "With a code", exact: true }));
    await hand.type(page.getByLabel("Code", { exact: true }), code);
    await hand.tick(page.getByRole("checkbox", { name: "Tees" }));
    await hand.press(button(page, "Show what it does"));
    await page.getByText("With a code: 15% off tees, not on sale prices.").waitFor();
    await isInOrder();
    expect(await page.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
    await hand.press(button(page, "Start this offer"));
    await heading(page, `Friday by ${way.by}`).waitFor();
    await isInOrder();
    expect(await cart(code)).toContain(`counts: Friday by ${way.by}`);

    await hand.press(page.getByRole("link", { name: "Change" }));
    expect(await page.getByLabel("Percent", { exact: true }).inputValue()).toBe("15");
    await hand.type(page.getByLabel("Percent", { exact: true }), "20");
    await hand.press(button(page, "Show what it does"));
    await page.getByText("With a code: 20% off tees, not on sale prices.").waitFor();
    await isInOrder();
    await hand.press(button(page, "Save this offer"));
    await button(page, "Pause").waitFor();
    expect(await cart(code)).toContain("counts:");

    await hand.press(button(page, "Pause"));
    await page.getByText("Paused. Orders that are being paid keep it.").waitFor();
    expect(await cart(code)).not.toContain("counts:");
    await hand.press(button(page, "Resume"));
    await page.getByText("It counts again.").waitFor();
    expect(await cart(code)).toContain("counts:");
    await hand.press(button(page, "End"));
    await hand.press(button(page, "End it now"));
    await page.getByText("Ended. Orders that are being paid keep it.").waitFor();
    await hand.press(page.getByRole("link", { name: "Offers" }).first());
    await page.getByText("No offers. An offer gives").waitFor();
    await hand.press(page.getByRole("link", { name: /^Ended/ }));
    await page.getByRole("link", { name: `Friday by ${way.by}` }).waitFor();
    await isInOrder();
    await leaves();
    await asked("delete from offer_codes");
    await asked("delete from offers");
  });

  test("a collection is made, filled, put in order and shown, and the shop has its page within two seconds", async () => {
    const { page, context, hand, isInOrder, leaves } = await staff(way, "/collections", "catalogue");
    await page.getByText("No collections.").waitFor();
    await hand.press(page.getByRole("link", { name: "New collection" }));
    await heading(page, "New collection").waitFor();
    await hand.press(button(page, "Add this collection"));
    await page.getByText("Give it a name").waitFor();
    await isInOrder();
    await hand.type(page.getByLabel("Name", { exact: true }), "Owambe");
    await hand.type(page.getByLabel(/^A sentence or two/), "For every party.");
    await hand.press(button(page, "Add this collection"));
    await heading(page, "Owambe").waitFor();
    const [tee, home, away] = [
      "Linked Rings Tee, Off White",
      "Unity Home Jersey, Palm Green",
      "Unity Away Jersey, Cream",
    ] as const;
    for (const name of [tee, home, away]) {
      await hand.type(page.getByRole("searchbox"), name.split(",")[0] ?? "");
      await hand.press(button(page, `Add ${name}`));
      await button(page, `Take ${name} out`).waitFor();
    }
    await isInOrder();
    await hand.press(button(page, `First: ${away}`));
    const taken = page.locator("ol button[aria-label^='Take ']");
    const order = () => taken.evaluateAll((all) => all.map((one) => one.ariaLabel));
    await expect.poll(order).toEqual([away, tee, home].map((name) => `Take ${name} out`));
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe(`Later: ${away}`);
    if (way.by === "mouse") {
      const handle = page.locator("ol li").filter({ hasText: "Unity Home Jersey" }).locator("[draggable]");
      await handle.dragTo(page.locator("ol li").first(), { targetPosition: { x: 100, y: 4 } });
      await expect.poll(order).toEqual([home, away, tee].map((name) => `Take ${name} out`));
    }
    await hand.press(button(page, `Take ${home} out`));
    await page.getByText("2 products").waitFor();
    await hand.tick(page.getByRole("checkbox", { name: "Show it in the shop" }));
    await hand.press(button(page, "Save"));
    await page.getByText("Saved. The shop shows it now.").waitFor();
    await isInOrder();
    const shopPage = await context.newPage();
    await expect.poll(async () => (await fetch(`${shop.url}/collections/owambe`)).status, { timeout: 2000 }).toBe(200);
    await shopPage.goto(`${shop.url}/collections/owambe`);
    expect(await shopPage.getByRole("main").locator("li a[href^='/singleProduct/']").count()).toBe(2);
    expect(await violations(shopPage)).toEqual([]);
    await shopPage.close();
    await hand.press(button(page, "Delete"));
    await hand.press(button(page, "Delete it"));
    await page.getByText("No collections.").waitFor();
    await leaves();
  });

  test("a size guide is made, and the shop shows it within two seconds", async () => {
    const { page, hand, isInOrder, leaves } = await staff(way, "/size-guides", "catalogue");
    await page.getByText("No size guides.").waitFor();
    await hand.press(page.getByRole("link", { name: "New size guide" }));
    await heading(page, "New size guide").waitFor();
    await hand.type(page.getByLabel(/^Measure 1/), "Chest");
    await hand.press(button(page, "Add this size guide"));
    await page.getByText("Give it a name").waitFor();
    await isInOrder();
    await hand.type(page.getByLabel(/^Name/), "Guide of tees");
    await hand.tick(page.getByRole("checkbox", { name: "Tees" }));
    const first = page.getByRole("group", { name: "Measure 1" });
    await hand.type(first.getByLabel("M", { exact: true }), "123,5");
    await hand.press(button(page, "Add this size guide"));
    await heading(page, "Guide of tees").waitFor();
    await isInOrder();
    const shown = async () => (await fetch(`${shop.url}/singleProduct/rings-tee`)).text();
    await expect.poll(shown, { timeout: 2000 }).toContain("123.5");
    await hand.press(button(page, "Delete"));
    await hand.press(button(page, "Delete it"));
    await page.getByText("No size guides.").waitFor();
    await leaves();
  });

  test("the text of a policy is looked at, published now, planned, withdrawn and put back, in the shop within two seconds", async () => {
    const { page, context, hand, isInOrder, leaves } = await staff(way, "/words", "catalogue");
    const shown = async () => (await fetch(`${shop.url}/returnpolicy`)).text();
    const first = await shown();
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Return Policy" }));
    await heading(page, "Return Policy").waitFor();
    await isInOrder();
    const text = page.getByLabel(/^Text/);
    await hand.paste(text, "Back within 30 days.");
    await hand.press(button(page, "Preview"));
    await page.getByText("“30 days” isn’t what the shop goes by").waitFor();
    await isInOrder();
    await hand.paste(text, "# Returns\n\nBack within 14 days, see [our shop](/shop).");
    await hand.press(button(page, "Preview"));
    await heading(page, "Preview", 2).waitFor();
    await page.getByRole("link", { name: "our shop" }).waitFor();
    await isInOrder();
    await hand.press(button(page, "Publish now"));
    await page.getByText("Published. The shop shows it now.").waitFor();
    await isInOrder();
    await expect.poll(shown, { timeout: 2000 }).toContain("Back within 14 days");
    const shopPage = await context.newPage();
    await shopPage.goto(`${shop.url}/returnpolicy`);
    expect(await violations(shopPage)).toEqual([]);
    await shopPage.close();
    await page.getByLabel(/^Or at a time/).fill("2099-01-31T09:00");
    await hand.press(button(page, "Publish then"));
    await page.getByText("Saved. The shop shows it from 2099-01-31 09:00.").waitFor();
    await isInOrder();
    await hand.press(button(page, "Withdraw it"));
    await page.getByText("Withdrawn. The shop won’t show it.").waitFor();
    await hand.press(button(page, "Put this back: the first text"));
    await page.getByText("Put back. The shop shows it now.").waitFor();
    await expect.poll(() => text.inputValue()).toMatch(/^# Returns\n\nYou can return items within 14 days/);
    await expect.poll(shown, { timeout: 2000 }).toBe(first);
    await isInOrder();
    await asked("delete from page_texts");
    await leaves();
  });
});

test("codes for one use each are made, downloaded, and count once typed", async () => {
  const { page, hand, leaves } = await staff(WAYS[0], "/offers/new", "catalogue");
  await hand.type(page.getByLabel(/^Name/), "Radio week");
  await hand.type(page.getByLabel("Percent", { exact: true }), "20");
  await hand.tick(page.getByRole("radio", { name: "With codes for one use each, which you make next" }));
  await hand.press(button(page, "Show what it does"));
  await hand.press(button(page, "Start this offer"));
  await heading(page, "Radio week").waitFor();
  await hand.type(page.getByLabel(/^Codes for one use each/), "0");
  await hand.press(button(page, "Make"));
  await page.getByText("A whole number from 1 to 10000").waitFor();
  await hand.type(page.getByLabel(/^Codes for one use each/), "200");
  await hand.press(button(page, "Make"));
  await page.getByText("200 codes made.").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    hand.press(page.getByRole("link", { name: "Download the codes" })),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const [head, ...codes] = Buffer.concat(chunks).toString().trim().split("\r\n");
  expect(head).toBe("code,mostUses,uses");
  expect(codes).toHaveLength(200);
  expect(await cart(codes[0]?.split(",")[0] ?? "")).toContain("counts: Radio week");
  await leaves();
});

test("of a percentage without a condition the form says that a sale price does the same", async () => {
  const { page, hand, leaves } = await staff(WAYS[0], "/offers/new");
  await hand.type(page.getByLabel(/^Name/), "Tees");
  await hand.type(page.getByLabel("Percent", { exact: true }), "20");
  await hand.tick(page.getByRole("checkbox", { name: "Tees" }));
  await hand.press(button(page, "Show what it does"));
  await page.getByRole("link", { name: "sale price" }).waitFor();
  await leaves();
});
