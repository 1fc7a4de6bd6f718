import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import * as messages from "#app/messages.ts";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { hasFocus } from "#tests/support/hands.ts";
import { endPayment, newCustomer, pressPay, type Visitor } from "#tests/support/http-visitor.ts";
import { lostText, movedByArriving, sideways, unsizedPictures } from "#tests/support/layout.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";
import { stalling } from "#tests/support/slow-network.ts";

/** Every route with what the specification quotes of it: exactly as it is seen, including capitals. */
const SCREENS: Record<string, string[]> = {
  "/": ["Shop Now", "WELCOME", "SUPPORT", "CONNECT", "CONTACT"],
  "/shop": ["SHOP", "UNITY HOME JERSEY", "$49.99", "≈ ₦79,984"],
  "/shop?q=nothing-like-this": [],
  "/singleProduct/unity-home-jersey": ["$49.99", "Palm Green", "Size guide"],
  "/singleProduct/harmattan-zigzag-jersey": [],
  "/singleProduct/none": ["Product not found"],
  "/Cart": ["CART", "Your cart is empty", "Add something to your cart"],
  "/checkout": ["Hello, You need to log in to check out seamlessly", "Login", "WELCOME", "SUPPORT", "CONNECT"],
  "/login": ["forgot password?", "Create one", "Sign in with Google"],
  "/register": ["Create my account"],
  "/forgotPassword": ["RETRIEVE PASSWORD"],
  "/checkMail": ["Check your Mail", "Continue to Login"],
  "/resetPassword?oobCode=x": ["RESET PASSWORD"],
  "/verifyMail": [
    "Verfication Email sent",
    "Verfication Email sent. Please check your inbox",
    "I have verified my account",
  ],
  "/verification": ["Invalid verification link."],
  "/signIn": ["Please log in.", "Log in"],
  "/account": ["User not Logged in"],
  "/about": [],
  "/returnpolicy": [],
  "/shipping-policy": [],
  "/privacy-policy": ["Effective 16 March 2025"],
  "/parentcomp": [],
  "/subscribe": [],
  "/demo/mail": [],
  "/no-such-page": [],
};
const ROUTES = Object.keys(SCREENS);
/** A page is loaded in its window: in one made smaller, Chromium prefers a larger picture to the one preloaded. */
const WIDTHS = [320, 360, 768, 1024, 1440, 1920];
/** The widths at which accessibility is tested: one for the layout of phones, one for that of desktops. */
const LAYOUTS = [360, 1440];
const SLOW_WIDTHS = [320, 390, 1440];

useShopInBrowser();

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** What moved while the page loaded, a line each. */
async function movements(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const moved: string[] = [];
        const at = ({ x, y }: DOMRect) => `${Math.round(x)},${Math.round(y)}`;
        const named = (node: Node | null) =>
          (node instanceof Element ? node.outerHTML : (node?.parentElement?.outerHTML ?? "?")).slice(0, 100);
        new PerformanceObserver((list) => {
          for (const { sources } of list.getEntries() as Shift[])
            for (const { node, previousRect, currentRect } of sources) {
              moved.push(`moved from ${at(previousRect)} to ${at(currentRect)}: ${named(node)}`);
            }
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(moved), 100));
      }),
  );
}

async function missingTexts(page: Page, texts: string[], within = "body"): Promise<string[]> {
  const seen = (await page.locator(within).innerText()).replace(/\s+/g, " ");
  return texts.filter((text) => !seen.includes(text));
}

/** The text of a page that is lost in a small window with letters twice as large, a line each. */
async function lostAtTwiceTheSize(page: Page): Promise<string[]> {
  const viewport = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ ...viewport, height: 640 });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  const tooWide = await sideways(page);
  const lost = await lostText(page);
  await page.setViewportSize(viewport);
  return [...(tooWide > 0 ? [`${tooWide} px too wide`] : []), ...lost].map((line) => `at 200%: ${line}`);
}

/** Visits every route in a window of this width. Returns what is wrong, a line each. */
async function walk(width: number): Promise<string[]> {
  const { page, context, complaints } = await newVisitor(browser, { viewport: { width, height: 900 } });
  const wrong: string[] = [];
  for (const [route, texts] of Object.entries(SCREENS)) {
    const note = (lines: string[]) => wrong.push(...lines.map((line) => `${route} at ${width} px: ${line}`));
    await page.goto(shop.url + route, { waitUntil: "networkidle" });
    note(await movements(page));
    note((await missingTexts(page, texts)).map((text) => `does not say ${text}`));
    note(await unsizedPictures(page));
    const tooWide = await sideways(page);
    if (tooWide > 0) note([`${tooWide} px too wide`]);
    if (LAYOUTS.includes(width)) note(await violations(page));
    if (width === LAYOUTS[0]) note(await lostAtTwiceTheSize(page));
    note(complaints.splice(0).filter((line) => !line.includes("status of 404")));
  }
  await context.close();
  return wrong;
}

// A page spends most of its time waiting, so the widths are tested side by side.
test(`at ${WIDTHS} px no route moves while loading, can be pushed sideways, loses text of twice the size, shuts anybody out, complains or lacks what is quoted`, async () => {
  expect((await Promise.all(WIDTHS.map(walk))).flat()).toEqual([]);
}, 600_000);

/** A state of a route beyond its first view, and what is pressed to get there. */
type State = { of: string; path: string; act?(page: Page): Promise<unknown> };

/** Presses a button, and waits until this is shown. */
const press = (name: string | RegExp, shown: string) => async (page: Page) => {
  const button = page.getByRole("button", { name, exact: typeof name === "string" }).last();
  await button.click({ force: true }); // Pay Now is grey, but can be pressed
  await page.locator(shown).first().waitFor();
};
const REFUSED = '[aria-invalid="true"], [role="alert"]';
const DIALOG = "dialog[open] button";

async function fillIn(page: Page): Promise<void> {
  const form = page.getByRole("main");
  await form.getByLabel("Country").selectOption("Nigeria");
  await form.getByLabel("Phone").fill("0803 123 4567");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Federal Capital Territory");
  await form.getByLabel("Street and number").fill("1 Broad Street");
}

const OF_GUEST: State[] = [
  { of: "filters", path: "/shop?q=jersey&size=M&sort=price-up", act: press(/^Filter and sort/, "select:visible") },
  {
    of: "search",
    path: "/shop",
    act: async (page) => {
      await page.getByRole("combobox", { name: "Search" }).pressSequentially("unity");
      await page.getByRole("listbox", { name: "Products" }).waitFor();
    },
  },
  { of: "size guide", path: "/singleProduct/unity-home-jersey", act: press("Size guide", DIALOG) },
  { of: "large view", path: "/singleProduct/unity-home-jersey", act: press(/show large/, DIALOG) },
  {
    of: "a sold-out size",
    path: "/singleProduct/unity-away-jersey",
    act: async (page) => {
      await page.getByText("Your size sold out?").click();
      await press("Tell me when XXL is back", REFUSED)(page);
    },
  },
  { of: "cart", path: "/Cart", act: (page) => page.getByLabel(/^Quantity of/).waitFor() },
  {
    of: "login dialog",
    path: "/Cart",
    act: async (page) => {
      await page.getByRole("link", { name: "Checkout" }).click();
      await page.locator(DIALOG).first().waitFor();
    },
  },
  { of: "drawer", path: "/parentcomp", act: press("Open cart", DIALOG) },
  { of: "currency dialog", path: "/about", act: press(/^Currency/, DIALOG) },
  { of: "login, refused", path: "/login", act: press("Login", REFUSED) },
  { of: "registration, refused", path: "/register", act: press("Create my account", REFUSED) },
  { of: "forgotten password, refused", path: "/forgotPassword", act: press("RETRIEVE PASSWORD", REFUSED) },
  { of: "cart without its line", path: "/Cart", act: press(/^REMOVE/, "text=was removed") },
];

const OF_CUSTOMER: State[] = [
  ...["Name", "Password", "Signed-in devices", "Emails", "My data"].map((name) => ({
    of: name,
    path: "/account",
    act: (page: Page) => page.getByRole("heading", { name, level: 3 }).click(),
  })),
  { of: "mailbox", path: "/demo/mail" },
  {
    of: "mail",
    path: "/demo/mail",
    act: async (page) => {
      await page.getByRole("main").getByRole("link").first().click();
      await page.getByRole("article").waitFor();
    },
  },
  { of: "cart", path: "/Cart" },
  { of: "checkout", path: "/checkout" },
  { of: "checkout, refused", path: "/checkout", act: press(/^Pay Now/, REFUSED) },
  {
    of: "its summary",
    path: "/checkout",
    act: (page) =>
      page
        .getByText(/^Your order, /)
        .first()
        .click(),
  },
  { of: "checkout, for home", path: "/checkout", act: fillIn },
  {
    of: "payment",
    path: "/checkout",
    act: async (page) => {
      await fillIn(page);
      await press(/^Pay Now/, DIALOG)(page);
    },
  },
  {
    of: "checkout, for pick-up",
    path: "/checkout",
    act: async (page) => {
      await page.getByRole("main").getByLabel("Pick-up", { exact: true }).check();
      await page.getByLabel("Pick-up center").selectOption({ index: 1 });
    },
  },
  {
    of: "checkout, for abroad",
    path: "/checkout",
    act: (page) => page.getByLabel("Country").selectOption("United Kingdom"),
  },
];

const OF_BUYER: State[] = [
  { of: "home, after a payment", path: "/" },
  { of: "account", path: "/account", act: (page) => page.getByText(/^Order IR-/).click() },
  { of: "order", path: "/order/{reference}" },
  { of: "return", path: "/order/{reference}/return" },
  { of: "order, too late to cancel", path: "/order/{reference}/cancel" },
  { of: "order, too late to change the address", path: "/order/{reference}/address" },
  { of: "order, too late to change a size", path: "/order/{reference}/size" },
  { of: "return, refused", path: "/order/{reference}/return", act: press("Send request", REFUSED) },
  { of: "awaited transfer", path: "/checkout" },
];

const MANY = { intent: "add", id: "unity-home-jersey", size: "L", quantity: "12" };

/** A customer with long sums in the cart and a mailbox with letters. */
async function customerWithMany(): Promise<Visitor> {
  const customer = await newCustomer(shop, `somebody-with-a-rather-long-address-${Date.now()}@example.com`);
  await customer.post("/Cart", MANY);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "L", quantity: "2" });
  return customer;
}

/** A customer with a delivered order, and with a second one whose transfer is on its way. */
async function buyer(): Promise<Visitor & { reference: string }> {
  const customer = await customerWithMany();
  const pay = async (outcome: string) => endPayment((await pressPay(customer)).headers.get("location") ?? "", outcome);
  const reference = await pay("success");
  await customer.get(`/checkout/return?reference=${reference}`);
  await ownerSays(shop, "orders", "fulfil", reference, "--yes");
  await ownerSays(shop, "orders", "deliver", reference, "--yes");
  await customer.post("/Cart", MANY);
  await pay("pending_transfer");
  return { ...customer, reference };
}

test.each<[string, State[], () => Promise<Partial<Visitor & { reference: string }>>]>([
  ["guest", OF_GUEST, async () => ({})],
  ["customer", OF_CUSTOMER, customerWithMany],
  ["buyer", OF_BUYER, buyer],
])(
  "at 320 px no further state of a route can be pushed sideways: %s",
  async (_, states, meet) => {
    const { cookies, reference = "" } = await meet();
    const { page, context } = await newVisitor(browser, {
      viewport: { width: 320, height: 640 },
    });
    await context.addCookies([...(cookies ?? [])].map(([name, value]) => ({ name, value, url: shop.url })));
    await page.goto(`${shop.url}/about`);
    const items = JSON.stringify([{ id: "unity-home-jersey", selectedSize: "L", color: "Palm Green", quantity: 12 }]);
    const wrong: string[] = [];
    for (const currency of ["NGN", "USD"]) {
      if (!cookies) await page.evaluate((cart) => localStorage.setItem("cart", cart), items);
      await page.evaluate((currency) => localStorage.setItem("currency", currency), currency);
      for (const { of, path, act } of states) {
        await page.goto(shop.url + path.replace("{reference}", reference), { waitUntil: "networkidle" });
        await act?.(page);
        const tooWide = await sideways(page);
        if (tooWide > 0) wrong.push(`${of}, in ${currency}: ${tooWide} px too wide`);
      }
    }
    expect(wrong).toEqual([]);
    await context.close();
  },
  300_000,
);

test("header, drawer, account and checkout say what is quoted, to the letter, for who is signed in as well, with a cart and without", async () => {
  const customer = await newCustomer(shop, "letters@example.com");
  const { page, context } = await newVisitor(browser, { viewport: { width: 1440, height: 900 } });
  const wrong: string[] = [];
  const says = async (texts: string[], within?: string) =>
    wrong.push(...(await missingTexts(page, texts, within)).map((text) => `${page.url()} does not say ${text}`));
  const go = (path: string) => page.goto(shop.url + path, { waitUntil: "networkidle" });
  await go("/about");
  await says(["SHOP", "ABOUT", "LOGIN", "CART (0)"], "header");
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await go("/account");
  await says(["My Account", "Welcome, Ada!", "Logout", "Verified", "letters@example.com"], "main");
  await says(["Order History", "You haven't placed any orders yet.", "Start Shopping"], "main");
  await page.getByRole("banner").getByText("Ada").click();
  await says(["SHOP", "ABOUT", "Ada", "Log Out", "CART (0)"], "header");
  await go("/checkout");
  await says(["Your cart is empty", "You have nothing to checkout", "Continue Shopping", "WELCOME"]);
  await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1" });
  const note = "Shipping & taxes calculated at checkout";
  await go("/about");
  await page.getByRole("link", { name: "CART (1)" }).click();
  await page.getByRole("link", { name: "CHECKOUT" }).waitFor();
  await says(["CART", "UNITY HOME JERSEY", "REMOVE", "Subtotal", note, "CHECKOUT"], "dialog[open]");
  await go("/checkout");
  await says(["SHIPPING", "Country", "First name", "Last name", "Email", "Phone", "Pay Now"], "main");
  await says(["Home Delivery", "Pick-up", "Subtotal", "$49.99"], "main");
  expect(await page.getByRole("contentinfo").getByText("WELCOME").count(), "the checkout's own footer").toBe(0);
  await page.setViewportSize({ width: 360, height: 900 });
  expect(await page.getByRole("navigation", { name: "Shop" }).count()).toBe(0);
  await go("/Cart");
  await says(["CART", "UNITY HOME JERSEY", "Palm Green / M", "REMOVE", "Subtotal", note, "Checkout"], "main");
  expect(wrong).toEqual([]);
  await context.close();
});

test(`at ${SLOW_WIDTHS} px nothing moves while pages arrive in pieces on a slow network`, async () => {
  const walks = SLOW_WIDTHS.map(async (width) => {
    const { page, context } = await newVisitor(browser, { viewport: { width, height: 900 } });
    await context.route(/\.woff2$/, (route) => route.abort()); // a slow network's first view has no font yet
    const lines: string[] = [];
    for (const route of ROUTES)
      lines.push(...(await movedByArriving(page, shop.url + route)).map((line) => `${route} at ${width} px: ${line}`));
    await context.close();
    return lines;
  });
  expect((await Promise.all(walks)).flat()).toEqual([]);
}, 600_000);

test.each([
  { cut: /<a [^>]*>Shop Now/, where: "before its button" },
  { cut: /the same/, where: "amid its words" },
])(
  `at ${SLOW_WIDTHS} px nothing moves when a network that stalled $where goes on with the first view`,
  async ({ cut }) => {
    for (const width of SLOW_WIDTHS) {
      const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
      const slow = await stalling(shop.url, cut, goesOn);
      const { page, context } = await newVisitor(browser, { viewport: { width, height: 900 } });
      await page.goto(slow.url, { waitUntil: "commit" });
      await page.getByText("Wear").waitFor();
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect(await page.getByText("Shop Now").count()).toBe(0);
      goOn();
      await page.waitForLoadState();
      expect(await movements(page)).toEqual([]);
      await context.close();
      await slow.stop();
    }
  },
);

test(`at ${SLOW_WIDTHS} px titles have their face from the first layout on, also where no font file has come`, async () => {
  for (const width of SLOW_WIDTHS) {
    const { page, context } = await newVisitor(browser, { viewport: { width, height: 900 } });
    await context.route(/\.woff2$/, (route) => route.abort());
    for (const route of ["/", "/singleProduct/harmattan-zigzag-jersey", "/returnpolicy"]) {
      await page.goto(shop.url + route);
      const [title, other] = await page.evaluate(() =>
        ['760 100px "Archivo Display", sans-serif', "760 100px sans-serif"].map((font) => {
          const span = Object.assign(document.createElement("span"), { textContent: "IREPO" });
          Object.assign(span.style, { font, position: "absolute" });
          document.body.append(span);
          return span.getBoundingClientRect().width;
        }),
      );
      expect(title).not.toBe(other);
      expect([route, ...(await movements(page))]).toEqual([route]);
    }
    await context.close();
  }
});

test("17 a page fetches the fonts of the letters that it has, and no other", async () => {
  const { page, context } = await newVisitor(browser);
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) fetched.push(new URL(request.url()).pathname);
  });
  await page.goto(`${shop.url}/returnpolicy`, { waitUntil: "networkidle" });
  expect(fetched.sort()).toEqual(["/fonts/archivo-latin.woff2", "/fonts/archivo-naira.woff2"]);
  for (const [text, font] of [
    ["Ƙaura", "google-sans-flex-hausa"],
    ["≈", "google-sans-flex-math"],
    ["Groß", "archivo-latin-1"],
    ["Łódź", "archivo-latin-ext"],
  ] as const) {
    // By the page's own rules; a layout under load may leave a letter to the next one, and ask for nothing meanwhile.
    await page.evaluate((letters) => document.fonts.load("1em Archivo", letters).then(() => undefined), text);
    expect(fetched, text).toContain(`/fonts/${font}.woff2`);
  }
  await context.close();
});

test("no open dialog shuts anybody out, and each gives the focus back", async () => {
  const { page } = await newVisitor(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  for (const [opener, dialog] of [
    [page.getByRole("button", { name: "Size guide" }), "Size guide"],
    [page.getByRole("link", { name: /^CART/ }), "CART"],
  ] as const) {
    await opener.click();
    await page.getByRole("dialog", { name: dialog }).waitFor();
    if (dialog === "CART") await page.getByText("Your cart is empty").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe("hidden");
    for (let i = 0; i < 12; i++) await page.keyboard.press("Tab");
    expect(
      await page.evaluate(
        () =>
          document.activeElement === document.body ||
          document.querySelector("dialog[open]")?.contains(document.activeElement),
      ),
    ).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: dialog }).waitFor({ state: "hidden" });
    await expect.poll(() => hasFocus(opener)).toBe(true);
  }
});

test("a dialog closes by a press beside it, not by one that began in a field and ended there", async () => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${shop.url}/singleProduct/rings-tee`);
  await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("link", { name: "CHECKOUT" }).click();
  const login = page.getByRole("dialog", { name: "Login" });
  const email = login.getByLabel("Email");
  await email.fill("ada@example.com");
  await email.hover();
  await page.mouse.down();
  await page.mouse.move(10, 450);
  await page.mouse.up();
  expect(await email.inputValue()).toBe("ada@example.com");
  await page.mouse.click(10, 450);
  await login.waitFor({ state: "hidden" });
  await context.close();
});

test("a German visitor in New York reads the same numbers, and React finds nothing to mend", async () => {
  const { page, complaints } = await newVisitor(browser, { locale: "de-DE", timezoneId: "America/New_York" });
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  expect(await page.getByText("$49.99").count()).toBeGreaterThan(0);
  expect(await page.getByText("≈ ₦79,984").count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});

describe("a return", () => {
  let reference = "";
  let customer: Visitor;
  beforeAll(async () => {
    customer = await newCustomer(shop, "returns@example.com");
    await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "2" });
    const paid = await pressPay(customer);
    reference = await endPayment(paid.headers.get("location") ?? "", "success");
    await customer.get(`/checkout/return?reference=${reference}`);
    const arrived = `update sales set fulfilled_at = now() - interval '1 hour', delivered_at = now() where reference = '${reference}' returning id`;
    await vi.waitUntil(async () => (await ask(ownerUrl(shop), arrived)).length === 1, {
      timeout: 30_000,
      interval: 200,
    });
  }, 120_000);

  const send = (page: Page) => page.getByRole("button", { name: "Send request" }).click();
  const piece = (page: Page) => page.getByRole("region", { name: "Unity Home Jersey" });

  test.each([
    { width: 360, javaScriptEnabled: false, instead: "Refund", state: "Return requested" },
    { width: 1440, javaScriptEnabled: true, instead: "L", state: "Exchange requested" },
  ])(
    "is asked for at $width px, with script: $javaScriptEnabled; nothing typed is lost, and nobody is shut out",
    async ({ width, javaScriptEnabled, instead, state }) => {
      const { page, context, complaints } = await newVisitor(browser, {
        viewport: { width, height: 900 },
        javaScriptEnabled,
      });
      await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
      await page.goto(`${shop.url}/order/${reference}`, { waitUntil: "networkidle" });
      await page.getByRole("link", { name: /^(Return or exchange|Your returns)$/ }).click();
      await page.getByRole("heading", { name: "Return or exchange" }).waitFor();
      await piece(page).getByLabel("How many are you returning?").fill("1");
      await piece(page).getByRole("radio", { name: instead, exact: true }).check();
      await send(page);
      await page.getByText(messages.returns.noReason).waitFor();
      await page.getByRole("radio", { name: "It’s damaged" }).check();
      await send(page);
      await page.getByText(messages.returns.faults["no-words"]).waitFor();
      expect(await piece(page).getByLabel("How many are you returning?").inputValue()).toBe("1");
      expect(await piece(page).getByRole("radio", { name: instead, exact: true }).isChecked()).toBe(true);
      expect(await page.getByRole("radio", { name: "It’s damaged" }).isChecked()).toBe(true);
      expect(await sideways(page)).toBe(0);
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      await page.getByRole("textbox", { name: "What should we know?" }).fill("A seam is open");
      await send(page);
      const card = page.getByRole("region", { name: state });
      await card.getByText("A seam is open").waitFor();
      const pictures = card.getByLabel("Photographs of it");
      await pictures.setInputFiles("package.json");
      await card.getByRole("button", { name: "Send the pictures" }).click();
      await card.getByText(messages.returns.pictures["no-picture"]).waitFor();
      await pictures.setInputFiles(["db/demo/images/rings-tee-front.jpg", "db/demo/images/rings-tee-back.jpg"]);
      const words = page.getByRole("textbox", { name: "What should we know?" });
      await words.fill("The other one, too");
      if (javaScriptEnabled) {
        // Pictures that arrive late must not redirect a shopper who has moved on.
        const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
        await page.route("**/pictures", (route) => goesOn.then(() => route.continue()), { times: 1 });
        const sending = card.getByRole("button", { name: "Send the pictures" });
        await sending.click();
        await expect.poll(() => sending.getAttribute("aria-busy")).toBe("true"); // the busy button keeps its name
        await page.getByRole("link", { name: "Privacy", exact: true }).click();
        await page.waitForURL("**/privacy-policy");
        const led: string[] = [];
        page.on("request", (request) => led.push(new URL(request.url()).pathname));
        const answered = page.waitForResponse(/\/return$/);
        goOn();
        await answered;
        await page.getByRole("link", { name: "SHIPPING", exact: true }).click();
        await page.waitForURL("**/shipping-policy");
        expect(led.filter((path) => path.endsWith("return.data"))).toEqual([]);
        await page.goBack();
        await page.goBack();
        await card.getByAltText("What you have sent, 2 of 2").waitFor();
        // When sent again, these remain the same two pictures.
        await pictures.setInputFiles(["db/demo/images/rings-tee-front.jpg", "db/demo/images/rings-tee-back.jpg"]);
        await words.fill("The other one, too");
        await context.setOffline(true);
        await card.getByRole("button", { name: "Send the pictures" }).click();
        await card.getByText(messages.form.unavailable).waitFor();
        await context.setOffline(false);
      }
      await card.getByRole("button", { name: "Send the pictures" }).click();
      await card.getByAltText("What you have sent, 2 of 2").waitFor();
      if (javaScriptEnabled) expect(await words.inputValue()).toBe("The other one, too");
      expect(await sideways(page)).toBe(0);
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
      const picture = await card.getByAltText("What you have sent, 1 of 2").getAttribute("src");
      expect((await customer.get(picture ?? "")).headers.get("content-type")).toBe("image/jpeg");
      expect((await fetch(shop.url + picture)).status).toBe(404);
      await card.getByRole("button", { name: "Withdraw it" }).click();
      await page
        .getByText(/withdrawn$/)
        .first()
        .waitFor();
      expect(complaints.filter((line) => !line.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
      await context.close();
    },
    120_000,
  );
});
