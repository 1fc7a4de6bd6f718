import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawn, newVisitor } from "#tests/support/browser.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";
import { late } from "#tests/support/slow-network.ts";

useShopInBrowser();

let network: Awaited<ReturnType<typeof late>>;
beforeAll(async () => {
  network = await late(shop.url, "/api/cart");
});
afterAll(() => network?.stop());

const JERSEY = { id: "unity-home-jersey", size: "M" };
const TEE = { id: "rings-tee", size: "L" };
let customers = 0;

/** A guest or a signed-in shopper with one jersey, or a jersey and a tee, on /Cart. */
async function onCart(
  who: "guest" | "customer",
  pieces = [JERSEY],
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const visitor = await newVisitor(browser);
  const { page, context } = visitor;
  if (who === "guest") {
    await page.goto(`${network.url}/about`);
    const items = pieces.map(({ id, size }) => ({
      id,
      selectedSize: size,
      color: id === JERSEY.id ? "Palm Green" : "Off White",
      quantity: 1,
      price: 1,
    }));
    await page.evaluate((cart) => localStorage.setItem("cart", cart), JSON.stringify(items));
  } else {
    const customer = await newCustomer(shop, `cart-${++customers}@example.com`);
    for (const piece of pieces) await customer.post("/Cart", { intent: "add", ...piece, quantity: "1" });
    await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: network.url })));
    await page.goto(`${network.url}/about`);
    await page.waitForFunction(() => localStorage.getItem("cartUserId")); // now the browser knows who is signed in
  }
  await page.goto(`${network.url}/Cart`);
  await more(page).waitFor();
  return visitor;
}

const more = (page: Page) => page.getByRole("button", { name: /^One more: Unity Home/ });
const quantity = (page: Page) => page.getByLabel(/^Quantity of Unity Home/).textContent();

/** Waits until every request about the cart is answered, and the page shows the answer. */
async function settled(page: Page): Promise<void> {
  do {
    await expect.poll(() => network.unanswered).toBe(0);
    await drawn(page);
  } while (network.unanswered > 0);
}

/** Watches a line. Returns a function for every quantity that the line has shown from now on. */
async function watchQuantity(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const look = () => {
      const now = document.querySelector('[aria-label^="Quantity of Unity Home"]')?.textContent ?? "";
      if (now !== seen.at(-1)) seen.push(now);
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  return () => seen.jsonValue();
}

describe.each(["guest", "customer"] as const)("the cart of a %s", (who) => {
  test("counts five fast taps as five, at once and after a reload", async () => {
    const { page, context } = await onCart(who);
    network.delays = [600, 400, 200];
    for (let tap = 0; tap < 5; tap++) await more(page).click({ noWaitAfter: true });
    expect(await quantity(page)).toBe("6");
    await page.reload();
    await expect.poll(() => quantity(page)).toBe("6");
    await settled(page);
    expect(await quantity(page)).toBe("6");
    await context.close();
  });

  test("keeps what the browser did not send as the page went away", async () => {
    const { page, context } = await onCart(who);
    network.delays = [600];
    for (let tap = 0; tap < 3; tap++) await more(page).click({ noWaitAfter: true });
    await page.evaluate(() => {
      window.fetch = () => new Promise(() => {}); // requests from now on get no answer
    });
    await page.reload();
    await expect.poll(() => quantity(page)).toBe("4");
    await context.close();
  });

  test("is not turned back by an answer that arrives late", async () => {
    const { page, context } = await onCart(who);
    const seen = await watchQuantity(page);
    network.delays = [900];
    await more(page).click();
    await more(page).click();
    await settled(page);
    expect(await seen()).toEqual(["1", "2", "3"]);
    await context.close();
  });

  test("gives a removed line back, also the last one", async () => {
    const { page, context } = await onCart(who);
    await more(page).click();
    await page.getByRole("button", { name: /^REMOVE/ }).click();
    await page.getByText("Add something to your cart").waitFor();
    await settled(page);
    network.delays = [600];
    await page.getByRole("button", { name: "Undo" }).click();
    await drawn(page);
    expect(await page.getByText("Add something to your cart").count()).toBe(0);
    await expect.poll(() => quantity(page)).toBe("2");
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await page.reload();
    await expect.poll(() => quantity(page)).toBe("2");
    await context.close();
  });

  test("says so and shows the truth when the server cannot be reached", async () => {
    const { page, context } = await onCart(who);
    await page.route("**/api/cart", (route) => route.fulfill({ status: 503 }));
    const refused = page.waitForResponse("**/api/cart");
    await more(page).click();
    await refused;
    if (who === "customer") await page.getByText("We can’t do this right now.").first().waitFor();
    await drawn(page);
    await expect.poll(() => quantity(page)).toBe(who === "guest" ? "2" : "1");
    await context.close();
  });

  test("is the same in two tabs", async () => {
    const { page, context } = await onCart(who, [JERSEY, TEE]);
    const other = await context.newPage();
    await other.goto(`${network.url}/Cart`);
    await more(other).waitFor();
    // While this tab still waits for an answer, the other one removes a line.
    network.delays = [800];
    await more(page).click();
    if (who === "guest") await expect.poll(() => quantity(other)).toBe("2"); // the storage event has arrived
    await other.getByRole("button", { name: /^REMOVE: Linked Rings/ }).click();
    await page.getByText("Linked Rings Tee", { exact: true }).waitFor({ state: "hidden" });
    await expect.poll(() => quantity(other)).toBe("2");
    expect(await quantity(page)).toBe("2");
    await other.reload();
    await expect.poll(() => quantity(other)).toBe("2");
    expect(await other.getByText("Linked Rings Tee", { exact: true }).count()).toBe(0);
    await context.close();
  });
});

describe.each(["guest", "customer"] as const)("the size of a %s's line", (who) => {
  const choice = (page: Page) => page.getByLabel(/^Size of Unity Home/);

  test("changes with the mouse at once, and stays so", async () => {
    const { page, context } = await onCart(who, [JERSEY, TEE]);
    await more(page).click();
    await settled(page);
    await choice(page).dispatchEvent("pointerdown");
    await choice(page).selectOption("L");
    await more(page).and(page.getByLabel(/, L$/)).waitFor();
    await settled(page);
    await page.reload();
    await expect.poll(() => quantity(page)).toBe("2");
    await expect.poll(() => choice(page).inputValue()).toBe("L");
    expect(await page.getByText("Linked Rings Tee", { exact: true }).count()).toBe(1);
    await context.close();
  });

  test("waits for the button with the keyboard, and keeps the focus", async () => {
    const { page, context } = await onCart(who);
    await choice(page).focus();
    await page.keyboard.press("ArrowDown");
    await settled(page);
    expect(await choice(page).inputValue()).toBe("L");
    expect(await page.getByLabel("Quantity of Unity Home Jersey, M").count()).toBe(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByLabel("Quantity of Unity Home Jersey, L").waitFor();
    await settled(page);
    expect(await choice(page).evaluate((select) => document.activeElement === select)).toBe(true);
    expect(await page.getByRole("button", { name: /^Change size/ }).count()).toBe(0);
    await context.close();
  });
});

describe("another size of a customer's line, while the shop is slow to answer", () => {
  const choose = async (page: Page, size: string) => {
    const choice = page.getByLabel(/^Size of Unity Home/);
    await choice.dispatchEvent("pointerdown");
    await choice.selectOption(size);
  };
  const ofL = (page: Page) => page.getByLabel("Quantity of Unity Home Jersey, L");

  test("is on the line at once, and later presses change that line", async () => {
    const { page, context } = await onCart("customer");
    await more(page).click();
    await settled(page);
    network.delays = [900];
    await choose(page, "L");
    await more(page).and(page.getByLabel(/, L$/)).click({ timeout: 700, noWaitAfter: true });
    expect(await ofL(page).textContent()).toBe("3");
    await settled(page);
    await page.reload();
    await expect.poll(() => ofL(page).textContent()).toBe("3");
    await choose(page, "S");
    network.delays = [900];
    await page.getByRole("button", { name: /^REMOVE/ }).click();
    await page.getByText("Add something to your cart").waitFor();
    await settled(page);
    await page.reload();
    await page.getByText("Add something to your cart").waitFor();
    await context.close();
  });

  test("of a line that was brought back is there once after a reload", async () => {
    const { page, context } = await onCart("customer");
    await page.getByRole("button", { name: /^REMOVE/ }).click();
    await settled(page);
    network.delays = [900];
    await page.getByRole("button", { name: "Undo" }).click();
    await choose(page, "L");
    await page.reload();
    await ofL(page).waitFor();
    await settled(page);
    expect(await ofL(page).textContent()).toBe("1");
    await page.reload();
    await expect.poll(() => ofL(page).textContent()).toBe("1");
    await context.close();
  });

  test("that does not reach the shop takes the later presses with it", async () => {
    const { page, context } = await onCart("customer");
    const asked: string[] = [];
    const goesOn = Promise.withResolvers<void>();
    await page.route("**/api/cart", async (route) => {
      const { intent } = route.request().postDataJSON();
      asked.push(intent);
      if (intent !== "size") return route.continue();
      await goesOn.promise;
      await route.fulfill({ status: 503 });
    });
    await choose(page, "L");
    await more(page).and(page.getByLabel(/, L$/)).click({ noWaitAfter: true });
    goesOn.resolve();
    await page.getByText("We can’t do this right now.").waitFor();
    await page.getByLabel("Quantity of Unity Home Jersey, M").waitFor();
    await settled(page);
    expect([await quantity(page), asked.filter((intent) => intent !== "show")]).toEqual(["1", ["size", "size"]]);
    await context.close();
  });
});

test("another size has its button before the page's code has loaded, and the own size has none", async () => {
  const { page, context } = await onCart("customer");
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(`${network.url}/Cart`, { waitUntil: "domcontentloaded" });
  const button = page.getByRole("button", { name: /^Change size/ });
  const choice = page.getByLabel(/^Size of Unity Home/);
  await choice.waitFor();
  await expect.poll(() => button.count()).toBe(0); // once the style sheet is there
  await choice.selectOption("L");
  await button.click();
  await expect.poll(() => choice.inputValue()).toBe("L");
  await page.getByLabel("Quantity of Unity Home Jersey, L").waitFor();
  await context.close();
});

test("what a page that was left could not send, and the next one neither, is said", async () => {
  const { page, context } = await onCart("customer");
  await page.evaluate(() => {
    window.fetch = () => new Promise(() => {});
  });
  await more(page).click();
  await page.route("**/api/cart", (route) =>
    route.request().postData()?.includes('"set"') ? route.fulfill({ status: 503 }) : route.continue(),
  );
  await page.reload();
  await page.getByText("We can’t do this right now. Please try again in a moment.").first().waitFor();
  await context.close();
});

test("a browser that has lost its storage, but not its cookie, shows its customer the cart", async () => {
  const customer = await newCustomer(shop, "cart-lost@example.com");
  await customer.post("/Cart", { intent: "add", ...JERSEY, quantity: "2" });
  const { page, context, complaints } = await newVisitor(browser);
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.goto(`${shop.url}/Cart`, { waitUntil: "networkidle" });
  await more(page).click();
  await expect.poll(() => quantity(page)).toBe("3");
  await page.reload({ waitUntil: "networkidle" });
  await expect.poll(() => quantity(page)).toBe("3");
  expect(complaints).toEqual([]);
  await context.close();
});

/** A signed-in shopper who has chosen a size on the product's page, with these pieces in the server's cart. */
async function choosing(name: string, size: string, pieces: Record<string, string>[] = []) {
  const { page, context } = await newVisitor(browser);
  const customer = await newCustomer(shop, `${name}@example.com`);
  for (const piece of pieces) await customer.post("/Cart", { intent: "add", ...piece });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: network.url })));
  await page.goto(`${network.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  await page.getByRole("group", { name: "Size" }).getByText(size, { exact: true }).click();
  const held = async () => (await (await customer.get("/api/cart")).json()).lines[0]?.quantity;
  return { page, context, held };
}

test("a piece whose answer is lost on its way is in the cart once", async () => {
  const { page, context, held } = await choosing("lost-answer", "M");
  network.losses = 1;
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await expect.poll(() => quantity(page)).toBe("1");
  await settled(page);
  expect([await quantity(page), await held()]).toEqual(["1", 1]);
  expect(await page.getByText("We can’t do this right now.").count()).toBe(0);
  await context.close();
});

test("a piece that the shopper adds again, since no answer came at all, is in the cart once", async () => {
  const { page, context, held } = await choosing("lost-answers", "M");
  network.losses = Number.POSITIVE_INFINITY;
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByText("We can’t do this right now.").waitFor();
  network.losses = 0;
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await expect.poll(() => quantity(page)).toBe("1");
  await settled(page);
  expect([await quantity(page), await held()]).toEqual(["1", 1]);
  await context.close();
});

test("a customer who adds more than there is hears it, also when the page has not seen the cart", async () => {
  const { page, context, held } = await choosing("capped", "XXL", [{ ...JERSEY, size: "XXL", quantity: "5" }]);
  await page.getByRole("button", { name: "One more" }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByText("Cannot exceed available stock for this size").waitFor();
  await expect.poll(() => quantity(page)).toBe("6");
  expect(await held()).toBe(6);
  await context.close();
});

test("a customer who adds what is there hears no error", async () => {
  const { page, context } = await choosing("adds", "M");
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await expect.poll(() => quantity(page)).toBe("1");
  await settled(page);
  expect(await page.getByText("Cannot exceed available stock for this size").count()).toBe(0);
  await context.close();
});

test("a guest who adds more than there is hears it, and gets what there is", async () => {
  const { page, context } = await newVisitor(browser);
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  await page.evaluate(() =>
    localStorage.setItem(
      "cart",
      JSON.stringify([{ id: "unity-home-jersey", selectedSize: "XXL", color: "Palm Green", quantity: 5 }]),
    ),
  );
  await page.getByRole("group", { name: "Size" }).getByText("XXL").click();
  await page.getByRole("button", { name: "One more" }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByText("Cannot exceed available stock for this size").waitFor();
  await expect.poll(() => quantity(page)).toBe("6");
  await context.close();
});

describe("who has looked into an empty cart", () => {
  const drawer = (page: Page) => page.getByRole("dialog", { name: "CART" });
  const opener = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^CART/ });

  async function lookAndChoose(page: Page): Promise<void> {
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
    await opener(page).click();
    await drawer(page).getByText("Your cart is empty").waitFor();
    await drawer(page).getByRole("button", { name: "Close" }).click();
    await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
  }

  test("and adds a piece is not told that it is empty, also when the shop cannot be asked", async () => {
    const { page, context } = await newVisitor(browser, DESKTOP);
    await lookAndChoose(page);
    await page.route("**/api/cart", (route) => route.abort());
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await drawer(page).getByText("We couldn’t load your cart. It’s safe").waitFor();
    await page.unroute("**/api/cart");
    await page.keyboard.press("Escape");
    await opener(page).click();
    await expect.poll(() => quantity(page)).toBe("1");
    await context.close();
  });

  test("and adds a piece sees it counted, before the cart has come", async () => {
    const { page, context } = await newVisitor(browser, DESKTOP);
    const customer = await newCustomer(shop, "counted@example.com");
    await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
    await page.route("**/api/live", (route) => route.abort()); // the stream would tell the number, too
    await lookAndChoose(page);
    const asked: string[] = [];
    await page.route("**/api/cart", (route) => {
      asked.push(route.request().postDataJSON().intent);
      if (asked.length === 1) void route.continue(); // all others are not answered
    });
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await drawer(page).waitFor();
    await expect.poll(() => asked).toEqual(["add", "show"]);
    expect(await opener(page).textContent()).toBe("CART (1)");
    await context.close();
  });
});

test("a cart that could not be loaded is loaded when the network is back", async () => {
  const { page, context } = await newVisitor(browser);
  await page.goto(`${shop.url}/about`);
  const line = { id: JERSEY.id, selectedSize: JERSEY.size, color: "Palm Green", quantity: 1 };
  await page.evaluate((cart) => localStorage.setItem("cart", cart), JSON.stringify([line]));
  await page.route("**/api/cart", (route) => route.abort());
  await page.goto(`${shop.url}/Cart`);
  await page.getByText("We couldn’t load your cart. It’s safe").waitFor();
  await page.unroute("**/api/cart");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect.poll(() => quantity(page)).toBe("1");
  await context.close();
});

const PHONE = { viewport: { width: 360, height: 780 } };
const DESKTOP = { viewport: { width: 1440, height: 900 } };

describe("with a piece on its way into the cart", () => {
  /** Adds a piece. Its request is sent, but not answered before `goOn`. */
  async function adding(options: Parameters<typeof newVisitor>[1]) {
    const { page, context } = await newVisitor(browser, options);
    const customer = await newCustomer(shop, `gone-on-${++customers}@example.com`);
    await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
    await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/api/cart", (route) => goesOn.then(() => route.continue()));
    await page.getByRole("button", { name: "Add to Cart" }).click();
    return { page, context, goOn };
  }
  const counted = (page: Page) =>
    page
      .getByRole("link", { name: /^cart\W*1/i })
      .filter({ visible: true })
      .first();

  test.each([
    ["a phone", PHONE],
    ["a desktop", DESKTOP],
  ] as const)("who goes on to another page stays there on %s, and sees it counted", async (_, device) => {
    const { page, context, goOn } = await adding(device);
    await page.getByRole("link", { name: "Irepo" }).first().click();
    await page.waitForURL(`${shop.url}/`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    goOn();
    await counted(page).waitFor();
    await drawn(page);
    expect(asked).not.toContain("/Cart.data");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await context.close();
  });
});

test("the cart beside a page goes with it by the browser's Back", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
  const link = page.getByRole("banner").getByRole("link", { name: "Shop" }).first();
  await link.click();
  await page.waitForURL("**/shop");
  await page.getByRole("banner").getByRole("link", { name: /^CART/ }).click();
  await page.getByRole("dialog", { name: "CART" }).waitFor();
  await page.goBack();
  await page.waitForURL("**/about");
  await page.getByRole("dialog", { name: "CART" }).waitFor({ state: "hidden" });
  await context.close();
});

test.each([
  ["is on its way", "request"],
  ["has its address but is not drawn yet", "address"],
] as const)("the cart that is opened while another page %s stays open on that page", async (_, when) => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\/shop\.data/, (route) => goesOn.then(() => route.continue()));
  await page.getByRole("banner").getByRole("link", { name: "Shop" }).first().click();
  const cart = page.getByRole("banner").getByRole("link", { name: /^CART/ });
  await drawn(page);
  if (when === "request") await cart.click();
  else
    await cart.evaluate((link: HTMLElement) => {
      const push = history.pushState;
      history.pushState = (...args) => {
        push.apply(history, args);
        link.click();
      };
    });
  goOn();
  await page.locator('h1:text-is("SHOP")').waitFor({ state: "attached" });
  await drawn(page);
  await page.getByRole("dialog", { name: "CART" }).waitFor();
  await page.goBack();
  await page.waitForURL("**/about");
  await page.getByRole("dialog", { name: "CART" }).waitFor({ state: "hidden" });
  await context.close();
});

test("two taps on Add to Cart while the cart is on its way are one piece", async () => {
  const { page, context } = await newVisitor(browser);
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/Cart\.data/, (route) => goesOn.then(() => route.continue()));
  await page.getByRole("button", { name: "Add to Cart" }).dblclick();
  goOn();
  await expect.poll(() => quantity(page)).toBe("1");
  await context.close();
});
