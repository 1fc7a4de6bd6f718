import { describe, expect, test } from "vitest";
import { keyboard } from "#tests/support/hands.ts";
import { endPayment, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import {
  asked,
  button,
  heading,
  office,
  type Person,
  shop,
  shopper,
  staff,
  useOffice,
  WAYS,
} from "#tests/support/office-in-browser.ts";
import { faultsIn, ledgerOf } from "#tests/support/shop-books.ts";

useOffice();

const JERSEY = "unity-home-jersey";

/** Buys two jerseys in M, which were delivered an hour ago. Returns the payment's reference. */
async function bought(shopper: Visitor): Promise<string> {
  await shopper.post("/Cart", { intent: "add", id: JERSEY, size: "M", quantity: "2" });
  const reference = await endPayment((await pressPay(shopper)).headers.get("location") ?? "", "success");
  await shopper.get(`/order/${reference}`);
  const at = "now() - interval '1 hour'";
  await asked(`update sales set fulfilled_at = ${at}, delivered_at = ${at} where reference = '${reference}'`);
  return reference;
}

async function returnOf(reference: string): Promise<string> {
  const [row] = await asked(`select number from returns where reference = '${reference}'`);
  return String(row?.number);
}

/**
 * A customer buys two jerseys in M, has had them for an hour, and asks to return one, for money or for another size.
 */
async function asksForReturn(email: string, instead: string, reason = "size"): Promise<string> {
  const visitor = await newCustomer(shop, email);
  const reference = await bought(visitor);
  const piece = { [`quantity:${JERSEY}:M`]: "1", [`instead:${JERSEY}:M`]: instead };
  const answer = await visitor.post(`/order/${reference}/return`, { ...piece, reason, words: "Too small for me" });
  expect(answer.status).toBe(303);
  return returnOf(reference);
}

/** Asks for a return in a browser, beginning at the account. */
async function asksInAccount({ page, hand, isInOrder }: Person, pieces: number): Promise<void> {
  await hand.press(page.locator("summary").filter({ hasText: "Order IR-" }));
  await hand.press(page.getByRole("link", { name: "Open the order" }));
  await hand.press(page.getByRole("link", { name: "Return or exchange" }));
  await heading(page, "Return or exchange").waitFor();
  await hand.type(page.getByLabel("How many are you returning?"), String(pieces));
  await hand.tick(page.getByRole("radio", { name: "It doesn’t fit" }));
  await hand.type(page.getByLabel("What should we know?"), "Too small for me");
  await isInOrder();
  await hand.press(button(page, "Send request"));
  await heading(page, "Return requested", 2).waitFor();
  await isInOrder();
}

/** The button that confirms each press of a return's next step. */
const YES = {
  Approve: "Yes, approve it",
  "Approve, and reserve the size": "Yes, approve it",
  "The items have arrived": "Yes, they are here",
  "Mark as sent": "Yes, it’s sent",
};

/** Presses a button, and confirms the press. */
async function agree({ hand, page }: Pick<Person, "hand" | "page">, name: keyof typeof YES): Promise<void> {
  await hand.press(button(page, name));
  await hand.press(button(page, YES[name]));
}

const stockOf = (size: string) =>
  asked(`select on_hand, reserved, sold from product_sizes where product_id = '${JERSEY}' and size = '${size}'`);
const statesOf = (numbers: string[]) =>
  asked(`select state, wish from returns where number in ('${numbers.join("','")}') order by asked_at`);
const actsBy = ({ email }: { email: string }) =>
  asked(`select action, door from audit_log where actor = '${email}' order by id`);

describe.each(WAYS)("by $by, at $width px", (way) => {
  test("a jersey is returned and refunded without its shipping, from the request to the provider's refund", async () => {
    const ada = await shopper(way, `returns-${way.by}@example.com`, "/about");
    const reference = await bought(ada.http);
    await ada.page.goto(`${shop.url}/account`);
    await asksInAccount(ada, 1);
    const number = await returnOf(reference);

    const owner = await staff(way, "/");
    const { page, hand, isInOrder } = owner;
    await hand.press(page.getByRole("link", { name: /Returns waiting/ }));
    await heading(page, "Returns").waitFor();
    await isInOrder();
    await hand.press(page.locator(`a[href="/returns/${number}"]:visible`).first());
    await heading(page, number).waitFor();
    await page.getByText("Within the rules.").waitFor();
    await page.getByText("Too small for me").first().waitFor();
    await isInOrder();
    await hand.type(page.getByLabel(/^Your words to/), "Send it to 1 Broad Street");
    await agree({ hand, page }, "Approve");
    await page.getByText("Approved; the shopper is emailed.").waitFor();
    await isInOrder();
    await agree({ hand, page }, "The items have arrived");
    await page.getByText("Received; the shopper is emailed.").waitFor();
    await isInOrder();
    if (way.by === "mouse") await button(page, "Refund ₦79,984").dblclick();
    else await hand.press(button(page, "Refund ₦79,984"));
    const yes = button(page, "Yes, refund it");
    if (way.by === "mouse") await yes.dblclick();
    else await hand.press(yes);
    await page.getByText("₦79,984 goes back; the shopper is emailed.").waitFor();
    await isInOrder();
    await expect
      .poll(() =>
        asked(`select kobo::int, with_shipping, restock, state from refunds where reference = '${reference}'`),
      )
      .toEqual([{ kobo: 7_998_400, with_shipping: false, restock: true, state: "done" }]);
    await hand.press(page.getByRole("link", { name: /^IR-/ }).first());
    await heading(page, /^IR-/).waitFor();
    await heading(page, "Returns", 2).waitFor();
    await page.getByRole("link", { name: "Return approved" }).waitFor();
    await isInOrder();
    await ada.page.reload();
    await heading(ada.page, "Money given back", 2).waitFor();
    await Promise.all([ada.leaves(), owner.leaves()]);

    expect((await ledgerOf(shop)).find((one) => one.reference === reference)).toMatchObject({
      kobo: 16_556_800,
      refundedKobo: 7_998_400,
    });
    expect(await faultsIn(shop)).toEqual([]);
  });

  test("of two jerseys that were to come back one does: its money goes back, it is in stock again, and the shopper sees that", async () => {
    const ada = await shopper(way, `half-${way.by}@example.com`, "/about");
    const reference = await bought(ada.http);
    await ada.page.goto(`${shop.url}/account`);
    await asksInAccount(ada, 2);
    const number = await returnOf(reference);
    const [before] = await stockOf("M");

    const { page, hand, isInOrder, ...owner } = await staff(way, `/returns/${number}`);
    await agree({ hand, page }, "Approve");
    await page.getByText("Approved; the shopper is emailed.").waitFor();
    await agree({ hand, page }, "The items have arrived");
    await button(page, "Refund ₦159,968").waitFor();
    const counter = page.getByRole("group", { name: /Jersey, M: how many go back/ });
    const less = counter.getByRole("button", { name: "One less" });
    await hand.press(less);
    await page.getByText("Put 1 piece back to stock").waitFor();
    await button(page, "Refund ₦79,984").waitFor();
    await isInOrder();
    await hand.press(less);
    expect(await button(page, "Choose what to refund").isDisabled()).toBe(true);
    await isInOrder();
    await hand.press(counter.getByRole("button", { name: "One more" }));
    if (way.by === "mouse") await button(page, "Refund ₦79,984").dblclick();
    else await hand.press(button(page, "Refund ₦79,984"));
    const yes = button(page, "Yes, refund it");
    if (way.by === "mouse") await yes.dblclick();
    else await hand.press(yes);
    await page.getByText("₦79,984 goes back for 1 of 2 pieces; the shopper is emailed.").waitFor();
    await page.getByText("1 refunded").waitFor();
    await isInOrder();
    const refund = `select kobo::int, pieces, restock, state from refunds where reference = '${reference}'`;
    const pieces = [{ productId: JERSEY, size: "M", quantity: 1 }];
    await expect.poll(() => asked(refund)).toEqual([{ kobo: 7_998_400, pieces, restock: true, state: "done" }]);
    expect((await stockOf("M"))[0]?.on_hand).toBe(Number(before?.on_hand) + 1);

    await ada.page.reload();
    await heading(ada.page, "Money given back", 2).waitFor();
    await ada.page.getByText("For 1 of 2 pieces").waitFor();
    await ada.page.getByText(/^2 × .*, M: 1 given back$/).waitFor();
    await ada.isInOrder();
    expect(await ada.page.getByRole("checkbox", { name: /^Unity Home Jersey/i }).isChecked()).toBe(true);
    await ada.hand.tick(ada.page.getByRole("radio", { name: "It doesn’t fit" }));
    await ada.hand.press(button(ada.page, "Send request"));
    await heading(ada.page, "Return requested", 2).waitFor();
    await Promise.all([ada.leaves(), owner.leaves()]);
    expect(await faultsIn(shop)).toEqual([]);
  });

  test("of the last one in a size, wanted by three, one exchange has it", async () => {
    await asked(
      `update product_sizes set supplied = sold + reserved + 1 where product_id = '${JERSEY}' and size = 'L'`,
    );
    const [before] = await stockOf("M");
    const first = await asksForReturn(`first-${way.by}@example.com`, "L");
    const second = await asksForReturn(`second-${way.by}@example.com`, "L");
    const bola = await shopper(way, `bola-${way.by}@example.com`, `/singleProduct/${JERSEY}`);
    await bola.hand.tick(bola.page.getByRole("radio", { name: "L", exact: true }));
    await bola.page.getByText("Only 1 left").waitFor();
    await bola.hand.press(bola.page.getByRole("button", { name: "Add to Cart" }));
    await bola.page.getByRole("link", { name: /^checkout$/i }).waitFor();

    const { page, hand, isInOrder, ...owner } = await staff(way, `/returns/${first}`);
    await page.getByText("L (1 can be had)").waitFor({ state: "attached" });
    await agree({ hand, page }, "Approve, and reserve the size");
    await page.getByText("the other size is reserved").first().waitFor();
    expect(await stockOf("L")).toMatchObject([{ on_hand: 1, reserved: 1 }]);

    await bola.page.goto(`${shop.url}/checkout`);
    await bola.page.getByText(/Jersey in L is sold out/).waitFor();
    await bola.isInOrder();

    await page.goto(`${office}/returns/${second}`);
    await page.getByText("L (sold out)").waitFor({ state: "attached" });
    await agree({ hand, page }, "Approve, and reserve the size");
    await page.getByText("Of L only 0 can be had").waitFor();
    await isInOrder();
    await hand.tick(page.getByRole("radio", { name: "A refund instead" }));
    await agree({ hand, page }, "Approve");
    await page.getByText("Approved; the shopper is emailed.").waitFor();
    await isInOrder();

    await page.goto(`${office}/returns/${first}`);
    await agree({ hand, page }, "The items have arrived");
    await page.getByText("Received; the shopper is emailed.").waitFor();
    await isInOrder();
    await hand.type(page.getByLabel("Carrier"), "GIG");
    await agree({ hand, page }, "Mark as sent");
    await page.getByText("The other size is on its way; the shopper is emailed.").waitFor();
    await isInOrder();
    await Promise.all([bola.leaves(), owner.leaves()]);

    expect(await stockOf("L")).toMatchObject([{ on_hand: 0, reserved: 0 }]);
    expect((await stockOf("M"))[0]?.on_hand).toBe(Number(before?.on_hand) - 4 + 1);
    expect(await statesOf([first, second])).toEqual([
      { state: "done", wish: "exchange" },
      { state: "approved", wish: "money" },
    ]);
    expect(await actsBy(owner)).toHaveLength(4);
    expect(await faultsIn(shop)).toEqual([]);
  });
});

test("of two who answer one return the later one sees both, and loses nothing", async () => {
  await asked(`update product_sizes set supplied = sold + reserved + 5 where product_id = '${JERSEY}' and size = 'L'`);
  const number = await asksForReturn("two@example.com", "L");
  const [bisi, tunde] = [
    await staff(WAYS[0], `/returns/${number}`),
    await staff(WAYS[1], `/returns/${number}`, "orders"),
  ];
  await bisi.hand.type(bisi.page.getByLabel(/^Your words to/), "We are sorry");
  await agree(tunde, "Approve, and reserve the size");
  await tunde.page.getByText("the other size is reserved").first().waitFor();
  expect(await stockOf("L")).toMatchObject([{ reserved: 1 }]);
  await bisi.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as if she reopened the tab
  await bisi.page.getByText("approved this return").waitFor();
  expect(await bisi.page.getByLabel(/^Your words to/).inputValue()).toBe("We are sorry");
  await bisi.isInOrder();
  await Promise.all([bisi.leaves(), tunde.leaves()]);
});

test("what was chosen for an answer is there again after a look at declining", async () => {
  const number = await asksForReturn("chosen@example.com", "");
  const { page, leaves } = await staff(WAYS[0], `/returns/${number}`);
  await page.getByRole("radio", { name: "Another size instead" }).check();
  await page.getByLabel("Nothing has to be sent back").check();
  await button(page, "Decline").click();
  await button(page, "Back").click();
  expect(await page.getByRole("radio", { name: "Another size instead" }).isChecked()).toBe(true);
  expect(await page.getByLabel("Nothing has to be sent back").isChecked()).toBe(true);
  await leaves();
});

test("by the keyboard alone an exchange that came broken is answered, sent and closed", async () => {
  const number = await asksForReturn("keys@example.com", "L", "damaged");
  const { page, hand, context, leaves } = await staff(WAYS[2], "/returns");
  await hand.type(page.getByRole("searchbox"), number);
  await page.waitForURL(/q=RT/);
  await hand.press(page.getByRole("link", { name: number }));
  await heading(page, number).waitFor();
  await hand.tick(page.getByLabel("Nothing has to be sent back"));
  await hand.type(page.getByLabel(/^Your words to/), "We are sorry");
  await context.setOffline(true);
  await agree({ hand, page }, "Approve, and reserve the size");
  await page.getByText("No connection, so nothing was changed.").waitFor();
  expect(await page.getByLabel(/^Your words to/).inputValue()).toBe("We are sorry");
  await page.getByText("No connection since").waitFor();
  await keyboard(page).reach(button(page, "Approve, and reserve the size")); // the notice at the foot does not cover it
  await context.setOffline(false);
  await agree({ hand, page }, "Approve, and reserve the size");
  await hand.type(page.getByLabel("Carrier"), "GIG");
  await hand.type(page.getByLabel("Tracking number"), "G-1");
  await page.keyboard.press("Enter");
  await hand.press(button(page, "Not yet"));
  expect(await page.getByLabel("Tracking number").inputValue()).toBe("G-1");
  await agree({ hand, page }, "Mark as sent");
  await page.getByText("The other size is on its way; the shopper is emailed.").waitFor();
  await page.getByText("GIG, G-1").first().waitFor();
  await leaves(/ERR_INTERNET_DISCONNECTED/);
});

test("on a phone the view that is shown is in sight among its tabs", async () => {
  const { page, leaves } = await staff(WAYS[1], "/returns?view=all");
  const at = (name: RegExp) => page.getByLabel("Views").getByRole("link", { name }).boundingBox();
  await expect
    .poll(async () => {
      const { x, width } = (await at(/^All/)) ?? { x: Number.NaN, width: 0 };
      return x + width;
    })
    .toBeLessThanOrEqual(WAYS[1].width);
  await page.goto(`${office}/returns`);
  expect((await at(/^Open/))?.x).toBe(16);
  await page.goto(`${office}/orders`);
  expect((await at(/^To send/))?.x).toBe(16); // everything in sight stays in its place
  await leaves();
});

test("52 the view that is shown stays in sight when its row becomes wider later, until somebody moves the row", async () => {
  const { page, leaves } = await staff(WAYS[1], "/returns?view=all");
  await page.evaluate(() => document.fonts.ready);
  const views = page.getByLabel("Views");
  const rightOfAll = async () => {
    const { x, width } = (await views.getByRole("link", { name: /^All/ }).boundingBox()) ?? { x: Number.NaN, width: 0 };
    return Math.floor(x + width);
  };
  const widenTabs = (letterSpacing: string) =>
    page.addStyleTag({ content: `nav a { letter-spacing: ${letterSpacing} }` });
  await expect.poll(rightOfAll).toBeLessThanOrEqual(WAYS[1].width);
  await widenTabs("2px");
  await expect.poll(rightOfAll).toBeLessThanOrEqual(WAYS[1].width);

  await views.hover();
  await page.mouse.wheel(-1000, 0);
  await expect.poll(rightOfAll).toBeGreaterThan(WAYS[1].width);
  const moved = await rightOfAll();
  await widenTabs("4px");
  await expect.poll(rightOfAll).toBeGreaterThan(moved);
  await leaves();
});

test.each(WAYS.slice(0, 2))(
  "customers, the newsletter and mails at $width px: found, looked at, and forgotten when nothing is open",
  async (way) => {
    const email = `forget-${way.width}@example.com`;
    const visitor = await newCustomer(shop, email);
    await visitor.post("/subscribe", { firstName: "Ada", email });
    const { page, hand, isInOrder, leaves } = await staff(way, `/customers?q=${email}`);
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Ada Obi" }).filter({ visible: true }).first());
    await heading(page, "Ada Obi").waitFor();
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Forget", exact: true }));
    await hand.type(page.getByLabel("Type the account’s email address"), "somebody@else.example");
    await hand.press(button(page, "Forget Ada Obi for good"));
    await page.getByText("That isn’t this account’s email address").waitFor();
    await isInOrder();
    await hand.type(page.getByLabel("Type the account’s email address"), email);
    await hand.press(button(page, "Forget Ada Obi for good"));
    await page.getByText("The customer’s data is deleted.").waitFor();
    expect(await asked(`select from users where email = '${email}'`)).toEqual([]);
    await page.waitForURL(`${office}/customers`);
    for (const path of ["/newsletter", "/mails"]) {
      await page.goto(office + path);
      await isInOrder();
    }
    await page.goBack();
    await page.goBack();
    await heading(page, "Customers").waitFor();
    expect(await page.getByText("The customer’s data is deleted.").count()).toBe(0);
    await leaves();
  },
);
