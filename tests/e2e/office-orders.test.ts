import { beforeAll, describe, expect, test } from "vitest";
import { hasFocus } from "#tests/support/hands.ts";
import { endPayment, pressPay } from "#tests/support/http-visitor.ts";
import {
  asked,
  button,
  count,
  heading,
  looksNoMore,
  office,
  shop,
  shopper,
  staff,
  useOffice,
  WAYS,
} from "#tests/support/office-in-browser.ts";
import { addPastSales } from "#tests/support/past-sales.ts";
import { faultsIn } from "#tests/support/shop-books.ts";

useOffice();
beforeAll(() => addPastSales(shop, 160));

/** The number of an unsent order without refunds: the oldest one after `at` others. */
async function unsent(at: number): Promise<string> {
  const [order] = await asked(
    `select number from orders join sales on order_id = orders.id where fulfilled_at is null and packed_at is null
       and orders.shipping ->> 'deliveryType' = 'Home Delivery' and not exists (select from refunds where refunds.reference = sales.reference) order by orders.created_at limit 1 offset ${at}`,
  );
  return String(order?.number);
}

describe.each(WAYS)("by $by, at $width px", (way) => {
  test("an order from a chat is put together in five presses, and paid in two", async () => {
    const email = `chat-${way.by}@example.com`;
    const buyer = await shopper(way, email, "/about");
    await buyer.http.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1" });
    const before = await endPayment((await pressPay(buyer.http)).headers.get("location") ?? "", "success");
    await buyer.http.get(`/checkout/return?reference=${before}`); // where it goes is known from that order
    const { page, hand, isInOrder, leaves } = await staff(way, "/orders", "orders");
    await hand.press(page.getByRole("link", { name: "New order" }));
    await hand.type(page.getByLabel("The customer’s email"), email);
    await isInOrder();
    await hand.press(button(page, "Continue"));
    await page.getByText("Goes to:").waitFor();
    await hand.type(page.getByRole("searchbox", { name: "Find a product" }), "unity home");
    await hand.press(page.getByRole("link", { name: /^Add UNITY HOME JERSEY, L, /i }).first());
    await page.getByText("Delivery to Lagos").waitFor();
    await isInOrder();
    await hand.press(button(page, "Make the link"));
    await page.getByText(/held until/).waitFor();
    await isInOrder();
    await hand.press(page.locator("button", { hasText: "Copy the link" })); // its name is read as a status
    await page.getByText("Copied", { exact: true }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await buyer.page.goto(link);
    await buyer.page.getByText("We hold these items for you").waitFor();
    await buyer.isInOrder();
    await buyer.hand.press(button(buyer.page, /^Pay ₦/));
    await buyer.hand.press(button(buyer.page, "Pay success"));
    await buyer.page.getByText("Payment successful!").waitFor();
    await buyer.leaves();
    await leaves();
    expect(await faultsIn(shop)).toEqual([]);
  });

  test("an item is sold at a stall for an agreed price, in six presses", async () => {
    const { page, hand, isInOrder, leaves } = await staff(way, "/orders/new", "owner");
    await hand.press(page.getByRole("link", { name: "Sell at a stall" }));
    await hand.type(page.getByRole("searchbox", { name: "Find a product" }), "unity home");
    await hand.press(page.getByRole("link", { name: /^Add UNITY HOME JERSEY, L, /i }).first());
    await page.getByText("To pay").waitFor();
    await hand.press(page.locator("summary", { hasText: "Another price" }));
    await hand.type(page.getByLabel(/^Each, in dollars/), "30");
    await hand.press(button(page, /^Set the price: Unity home jersey/i));
    await page.getByText("Agreed price, usually").waitFor();
    await isInOrder();
    await hand.type(page.getByLabel(/^Why another price/), "Last day");
    await hand.tick(page.getByRole("radio", { name: "Card terminal" }));
    await hand.type(page.getByLabel(/^Stall/), `Yaba ${way.by}`);
    await hand.press(button(page, "Mark as sold"));
    await page.getByText(/taken: card terminal/).waitFor();
    await isInOrder();
    const sold = `sales where delivered_at is not null and shipping ->> 'pickupCenter' = 'Yaba ${way.by}'`;
    expect(await count(sold)).toBe(1);
    await leaves();
  });

  test("fifty orders are printed, and marked as sent with pasted numbers, once", async () => {
    const { page, hand, email, isInOrder, leaves } = await staff(way, "/");
    const sentBefore = await count("outbox where kind = 'order-sent'");
    const isWide = way.width > 1000;
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Orders to send" }));
    await heading(page, "Orders").waitFor();
    await isInOrder();
    if (isWide) await hand.tick(page.getByRole("checkbox", { name: "All on this page" }));
    else {
      await hand.tick(page.getByRole("row").getByRole("checkbox").nth(1));
      await hand.pick(button(page, "More"), "Select all on this page");
    }
    await page.getByText("50 chosen").waitFor();
    await isInOrder();
    if (isWide) await hand.press(page.getByRole("link", { name: "Slips" }));
    else await hand.pick(button(page, "More"), "Packing slips");
    await heading(page, "Packing slips").waitFor();
    expect(await page.getByRole("article").count()).toBe(50);
    await isInOrder();
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute("data-printed", "");
    });
    await hand.press(button(page, "Print"));
    await page.locator("body[data-printed]").waitFor();
    if (way.by === "mouse") {
      const printed = await page.pdf({ preferCSSPageSize: true });
      expect(printed.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(50);
    }

    await hand.press(page.getByRole("link", { name: "Address labels" }));
    await heading(page, "Address labels").waitFor();
    expect(await page.getByRole("article").count()).toBe(50);
    await isInOrder();

    await hand.press(page.getByRole("link", { name: "Mark as sent" }));
    const field = page.getByLabel("Rows (up");
    const numbers = (await field.inputValue()).split("\n");
    const rows = numbers.map((number, index) => `GIG-${way.by}-${index}\t${number}\tGIG Logistics`).join("\n");
    await hand.paste(field, `Tracking\tOrder\tCarrier\n${rows}\nIR-0000-00\tGIG Logistics\tGIG-99`);
    await page.getByText("50 to mark, 1 with a mistake").waitFor();
    await page.getByText("This order doesn’t exist").waitFor();
    await isInOrder();
    await hand.press(button(page, "Mark 50 as sent"));
    await page.getByText("50 orders are marked as sent.").waitFor();
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Paste more" }));
    await hand.paste(field, rows);
    await page.getByText("0 to mark, 50 sent already").waitFor();
    expect(await page.getByRole("button", { name: "Mark 0 as sent" }).isDisabled()).toBe(true);
    await leaves();

    expect(await count("outbox where kind = 'order-sent'")).toBe(sentBefore + 50);
    expect(await count(`audit_log where actor = '${email}' and action = 'orders fulfil'`)).toBe(50);
    expect(
      await count(
        `sales join orders on orders.id = order_id where sales.fulfilled_at is not null and tracking like 'GIG-${way.by}-%'
          and number = (string_to_array('${numbers}', ','))[1 + split_part(tracking, '-', 3)::int]`,
      ),
    ).toBe(50);
    expect(await faultsIn(shop)).toEqual([]);
  });
});

describe.each(WAYS.slice(0, 2))("by $by, at $width px", (way) => {
  test("what was chosen is there again on the way back from a page to print", async () => {
    const { page, hand, leaves } = await staff(way, "/orders?view=to-send&sort=oldest");
    await hand.tick(page.getByRole("row").getByRole("checkbox").nth(1));
    await page.getByText("1 chosen").waitFor();
    const isWide = way.width > 1000;
    if (isWide) await hand.press(page.getByRole("link", { name: "Slips" }));
    else await hand.pick(button(page, "More"), "Packing slips");
    await heading(page, "Packing slips").waitFor();
    await hand.press(page.getByRole("link", { name: "Address labels" }));
    await heading(page, "Address labels").waitFor();
    if (isWide) {
      await page.goBack();
      await heading(page, "Packing slips").waitFor();
      await page.goBack();
    } else await hand.press(page.locator("main header").getByRole("link", { name: "Orders" }));
    await page.getByText("1 chosen").waitFor();
    expect(new URL(page.url()).search).toBe("?view=to-send&sort=oldest");

    if (isWide) {
      const menu = page.getByRole("navigation", { name: "Office" });
      await hand.press(menu.getByRole("link", { name: /^Today/ }));
      await heading(page, "Today").waitFor();
      await hand.press(menu.getByRole("link", { name: /^Orders/ }));
      await heading(page, "Orders").waitFor();
      expect(await page.getByText("1 chosen").count()).toBe(0);
    }
    await leaves();
  });

  test("a refund in part that is pressed twice is one", async () => {
    const number = await unsent(0);
    const { page, hand, isInOrder, leaves } = await staff(way, `/orders/${number}?do=refund`);
    await page.getByRole("heading", { name: "Refund a part" }).waitFor();
    await hand.press(button(page, "One more"));
    await page.getByLabel("Reason").selectOption("Too small");
    await isInOrder();
    const submit = page.getByRole("button", { name: "Refund ₦79,984" });
    const box = await submit.boundingBox();
    await submit.dblclick();
    await page.getByText("₦79,984 goes back; the shopper is emailed.").waitFor();
    if (!box) throw new Error("The button is not to be seen");
    if (way.by === "finger") {
      // The second press, as if the answer had come between the two: the tabs are there by now.
      const screens: string[] = [];
      page.on("request", (request) => request.url().includes(".data") && screens.push(request.url()));
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await page.evaluate(() => fetch("/healthz"));
      expect(screens.filter((url) => !url.includes(number))).toEqual([]);
    }
    expect(
      await count(
        `refunds join payments using (reference) join orders on orders.id = order_id where number = '${number}'`,
      ),
    ).toBe(1);
    await page.getByText("1 refunded").waitFor();
    await isInOrder();
    await leaves();
  });

  test("of two on one order the later one sees both, and loses nothing", async () => {
    const number = await unsent(1);
    const [bisi, tunde] = [
      await staff(way, `/orders/${number}?do=address`),
      await staff(way, `/orders/${number}`, "orders"),
    ];
    await bisi.page.getByLabel("Landmark").fill("the filling station");
    await bisi.isInOrder();
    await looksNoMore(bisi.page);
    await tunde.hand.press(button(tunde.page, "Mark as packed"));
    await tunde.page.getByText("Packed.").waitFor();
    const submit = button(bisi.page, "Change the address");
    await bisi.hand.press(submit);
    await bisi.page.getByText("packed this order").waitFor();
    await bisi.isInOrder();
    expect(await bisi.page.getByLabel("Landmark").inputValue()).toBe("the filling station");
    await bisi.hand.press(button(bisi.page, "Keep mine"));
    await bisi.hand.press(submit);
    await bisi.page.getByText("Address changed: landmark; the shopper is emailed.").waitFor();
    await bisi.page.getByText("Near the filling station").waitFor();
    await Promise.all([bisi.leaves(), tunde.leaves()]);
  });
});

test.each(WAYS)(
  "41 that an order came back is asked about, in a menu and a panel, by $by, at $width px",
  async (way) => {
    const [order] = await asked(
      `update sales set fulfilled_at = coalesce(fulfilled_at, now()), delivered_at = now() from orders where orders.id = order_id
       and reference = (select reference from sales where delivered_at is null order by fulfilled_at limit 1) returning number, reference`,
    );
    const { page, hand, isInOrder, leaves } = await staff(way, `/orders/${order?.number}`);
    const isBack = () => count(`sales where reference = '${order?.reference}' and returned_at is not null`);
    await isInOrder();
    expect(await page.locator("main .bg-ink").count()).toBe(0);
    await hand.pick(button(page, "More"), "It came back");
    await heading(page, "It came back", 2).waitFor();
    await isInOrder();
    expect(await isBack()).toBe(0);
    await hand.press(page.getByRole("link", { name: "Close" }));
    await heading(page, "It came back", 2).waitFor({ state: "detached" });
    await hand.pick(button(page, "More"), "It came back");
    await hand.press(button(page, "Yes, all of it is back"));
    await page.getByText("Returned; a refund gives money back").waitFor();
    expect(await isBack()).toBe(1);
    await leaves();
  },
);

test.each(WAYS.slice(0, 2))(
  "a reader may print what they choose, and is offered nothing else, at $width px",
  async (way) => {
    const { page, hand, leaves } = await staff(way, "/orders", "reader");
    await hand.tick(page.getByRole("row").getByRole("checkbox").nth(1));
    await page.getByText("1 chosen").waitFor();
    const isWide = way.width > 1000;
    if (!isWide) await hand.press(button(page, "More"));
    await page.getByRole(isWide ? "link" : "menuitem", { name: /slips/i }).waitFor();
    expect(await button(page, "Download…").count()).toBe(0);
    for (const name of ["Orders as CSV", "Courier’s file", "Mark as sent"]) {
      expect(await page.getByRole("link", { name }).count()).toBe(0);
      expect(await page.getByRole("menuitem", { name }).count()).toBe(0);
    }
    await leaves();
  },
);

test("a day of the takings is told in naira and dollars, beside the day before it", async () => {
  const { page, leaves } = await staff(WAYS[0], "/");
  const chart = page.locator(".recharts-surface").first();
  await chart.waitFor();
  const box = await chart.boundingBox();
  if (!box) throw new Error("The chart has no place on the screen");
  await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2);
  const hint = page.locator(".recharts-tooltip-wrapper");
  await hint.getByText("before: ₦0, $0.00").waitFor();
  expect(await hint.innerText()).toMatch(/₦[\d,]+, \$[\d,]+\.\d\d\s+\d+ orders?/);
  await leaves();
});

test("by the keyboard alone an order is found, packed, noted and sent", async () => {
  const number = await unsent(2);
  const { page, hand, leaves } = await staff(WAYS[2], "/orders");
  await hand.choose(page.getByRole("combobox", { name: "Delivery" }), "To an address");
  await page.waitForURL(/delivery=home/);
  await hand.type(page.getByRole("searchbox", { name: "Order, name, email, phone, street, item or parcel" }), number);
  await page.waitForURL(/q=IR/);
  await page.getByText("1 order, ").waitFor();
  await hand.press(page.getByRole("link", { name: number }));
  await heading(page, number).waitFor();
  await hand.press(button(page, "Mark as packed"));
  await page.getByText("Packed.").waitFor();
  await hand.type(page.getByLabel("Note for the team"), "Wants it on Saturday");
  await page.keyboard.press("Enter");
  await page.getByRole("listitem").filter({ hasText: "Wants it on Saturday" }).waitFor();
  await hand.press(page.getByRole("link", { name: "Mark as sent" }));
  await expect.poll(() => hasFocus(heading(page, "Mark as sent", 2))).toBe(true);
  await page.keyboard.press("Escape");
  await heading(page, "Mark as sent", 2).waitFor({ state: "detached" });
  await hand.pick(button(page, "More"), "Send an email again");
  await heading(page, "Send an email again", 2).waitFor();
  await hand.press(page.getByRole("link", { name: "Close" }));
  await heading(page, "Send an email again", 2).waitFor({ state: "detached" });
  await hand.press(page.getByRole("link", { name: "Mark as sent" }));
  await hand.type(page.getByLabel("Carrier"), "DHL");
  await hand.type(page.getByLabel("Tracking number"), "4711");
  await page.keyboard.press("Enter");
  await page.getByText("Sent off; the shopper is emailed.").waitFor();
  await page.getByText("DHL, 4711").first().waitFor();
  await leaves();
});

async function anySold(at: number): Promise<string> {
  const [order] = await asked(
    `select number from orders join sales on order_id = orders.id order by orders.created_at limit 1 offset ${at}`,
  );
  return String(order?.number);
}

test("a note that is being typed stays when the screen is loaded anew, and each of two is written down", async () => {
  const number = await anySold(0);
  const { page, leaves } = await staff(WAYS[0], `/orders/${number}`);
  const field = page.getByLabel("Note for the team");
  const written = (text: string) => page.getByRole("listitem").filter({ hasText: text }).waitFor();
  await field.fill("The first one");
  await field.press("Enter");
  await written("The first one");
  await expect.poll(() => field.inputValue()).toBe("");
  await field.fill("The second one");
  await field.press("Enter");
  await written("The second one");
  await field.fill("Half of a third");
  await asked(
    `insert into order_notes (id, order_id, author, text) select gen_random_uuid(), id, 'Tunde', 'One of his' from orders where number = '${number}'`,
  );
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as if she returned to the tab
  await written("One of his");
  expect(await field.inputValue()).toBe("Half of a third");
  await leaves();
});

test("a note that is typed on while it is sent keeps what was added", async () => {
  const number = await anySold(1);
  const { page, leaves } = await staff(WAYS[0], `/orders/${number}`);
  const field = page.getByLabel("Note for the team");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === "POST") await goesOn;
    await route.continue();
  });
  await field.fill("Ask for the size");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await field.press("Enter");
  await sent;
  await field.fill("Ask for the colour");
  goOn();
  await page.getByRole("listitem").filter({ hasText: "Ask for the size" }).waitFor();
  expect(await field.inputValue()).toBe("Ask for the colour");
  await field.press("Enter");
  await page.getByRole("listitem").filter({ hasText: "Ask for the colour" }).waitFor();
  await leaves();
});

test("on phones the filters of each list unfold, and their number is shown", async () => {
  const { page, hand, isInOrder, leaves } = await staff(WAYS[1], "/");
  for (const [path, label, option] of [
    ["/orders", "Sent or not sent", "Not sent"],
    ["/returns", "Wanted", "For a refund"],
    ["/customers", "Newsletter", "Without it"],
    ["/money/payments", "State", "Paid"],
    ["/products", "Kind", "Tees"],
    ["/audit", "From", "By command"],
  ] as const) {
    await page.goto(office + path);
    expect([path, await page.getByLabel(label, { exact: true }).isVisible()]).toEqual([path, false]);
    await hand.press(button(page, "Filter"));
    await isInOrder();
    await hand.choose(page.getByLabel(label, { exact: true }), option);
    await button(page, "Filter 1").waitFor();
    await isInOrder();
  }
  await leaves();
});
