import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { newVisitor, scriptIsThere, seesAfter } from "#tests/support/browser.ts";
import { hasFocus } from "#tests/support/hands.ts";
import {
  endPayment,
  newVisitor as newBrowser,
  newCustomer,
  PASSWORD,
  pressPay,
  type Visitor,
} from "#tests/support/http-visitor.ts";
import { linkIn, mailTo } from "#tests/support/mailbox.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";
import { stalling } from "#tests/support/slow-network.ts";

useShopInBrowser();

const DESKTOP = { viewport: { width: 1440, height: 900 } };

async function signIn(context: BrowserContext, visitor: Visitor): Promise<void> {
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
}

async function customerWithTee(email: string): Promise<Visitor> {
  const customer = await newCustomer(shop, email);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  return customer;
}

/** Holds requests like these until `release` is called. */
async function hold(page: Page, url: RegExp): Promise<{ release(): void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue().catch(() => undefined); // the page has left
  });
  return { release };
}

const status = (name: string) => (page: Page) => page.getByRole("status").filter({ hasText: name });
const link = (name: string) => (page: Page) => page.getByRole("banner").getByRole("link", { name }).click();

type Waiting = {
  what: string;
  from: string;
  held: RegExp;
  act?(page: Page): Promise<unknown>;
  seen(page: Page): ReturnType<Page["locator"]>;
};

const WAITING: Waiting[] = [
  {
    what: "products, on the way to the shop",
    from: "/about",
    held: /\/shop\.data/,
    act: link("SHOP"),
    seen: status("Loading products"),
  },
  {
    what: "products, while a filter is applied",
    from: "/shop?q=nothing-like-this",
    held: /\/shop\.data/,
    act: (page) => page.getByLabel("Size").selectOption("M"),
    seen: status("Loading products"),
  },
  {
    what: "a picture",
    from: "/about",
    held: /\/images\//,
    act: link("SHOP"),
    seen: (page) => page.getByRole("main").locator("[data-waiting]").first(),
  },
  { what: "the cart on its page", from: "/Cart", held: /\/api\/cart/, seen: status("Loading your cart") },
  {
    what: "the cart in the drawer",
    from: "/about",
    held: /\/api\/cart/,
    act: link("CART"),
    seen: status("Loading your cart"),
  },
  {
    what: "who is signed in and the cart, at the checkout",
    from: "/Cart",
    held: /\/checkout\.data/,
    act: (page) => page.getByRole("link", { name: "Checkout" }).click(),
    seen: status("Loading your checkout"),
  },
  {
    what: "a login",
    from: "/login",
    held: /\/login\.data/,
    act: async (page) => {
      await page.getByRole("main").getByLabel("Email").fill("a@example.com");
      await page.getByRole("main").getByLabel("Password", { exact: true }).fill("wrong-one");
      await page.getByRole("main").getByRole("button", { name: "Login" }).click();
    },
    seen: (page) => page.getByRole("main").locator('button[aria-busy="true"]'),
  },
  {
    what: "a verification",
    from: "/verification?oobCode=none",
    held: /\/verification\.data/,
    seen: (page) => page.getByText("Verifying your email..."),
  },
];

test.each(WAITING)("whoever waits for $what sees that, until it is there", async ({ from, held, act, seen }) => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  if (held.test("/checkout.data")) await signIn(context, await customerWithTee("waits@example.com"));
  if (act) await page.goto(shop.url + from, { waitUntil: "networkidle" });
  const { release } = await hold(page, held);
  if (!act) await page.goto(shop.url + from);
  await act?.(page);
  await seen(page).waitFor();
  release();
  await seen(page).waitFor({ state: "detached" });
  await context.close();
});

describe("before the script has come", () => {
  const logIn = async (page: Page, email: string) => {
    const form = page.getByRole("main");
    await form.getByLabel("Email").fill(email);
    await form.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await form.getByRole("button", { name: "Login", exact: true }).click();
  };
  const early = async (path: string, visitor?: Visitor) => {
    const { page, context } = await newVisitor(browser, DESKTOP);
    if (visitor) await signIn(context, visitor);
    await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
    const { release } = await hold(page, /\/assets\/.*\.js/);
    await page.goto(shop.url + path, { waitUntil: "domcontentloaded" });
    return { page, context, release };
  };

  test.each([
    ["Add to Cart", "/singleProduct/unity-home-jersey"],
    ["Pay Now", "/checkout"],
  ])("%s looks as it will look: disabled until the form is complete", async (name, path) => {
    const customer = path === "/checkout" ? await customerWithTee("looks@example.com") : undefined;
    const { page, context, release } = await early(path, customer);
    const button = page.getByRole("main").getByRole("button", { name });
    const color = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
    const before = await color();
    release();
    await scriptIsThere(page);
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(before).toBe(await color());
    await context.close();
  });

  test("what is chosen is the size that is bought", async () => {
    const { page, context, release } = await early("/singleProduct/unity-home-jersey");
    await page.getByRole("radio", { name: "L", exact: true }).check({ force: true });
    release();
    await scriptIsThere(page); // without the script, the press leads to the cart's page
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("dialog").getByText("/ L").waitFor();
    await context.close();
  });

  test("whoever logs in finds the guest's cart in the account's, once", async () => {
    const visitor = await newCustomer(shop, "early-login@example.com");
    const { page, context, release } = await early("/login");
    await page.evaluate(() =>
      localStorage.setItem(
        "cart",
        JSON.stringify([{ id: "unity-home-jersey", selectedSize: "M", color: "Palm Green", quantity: 2 }]),
      ),
    );
    await logIn(page, "early-login@example.com");
    await seesAfter(page, "Added to your cart: Unity Home Jersey", release);
    await page.getByRole("banner").getByText("CART (2)").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("cart"))).toBeNull();
    await page.reload({ waitUntil: "networkidle" });
    expect((await (await visitor.get("/api/cart")).json()).lines).toMatchObject([{ size: "M", quantity: 2 }]);
    await context.close();
  });

  test("what a guest adds is in the cart, to which that leads, and after the login in the account's", async () => {
    await newCustomer(shop, "early-add@example.com");
    const { page, context, release } = await early("/singleProduct/unity-home-jersey");
    await page.getByRole("radio", { name: "L", exact: true }).check({ force: true });
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.waitForURL("**/Cart");
    await page.getByText("/ L").waitFor();
    release();
    await scriptIsThere(page);
    await page.getByText("/ L").waitFor();
    await page.goto(`${shop.url}/login?next=/Cart`);
    await logIn(page, "early-add@example.com");
    await page.waitForURL("**/Cart");
    await page.getByText("/ L").waitFor();
    await context.close();
  });

  test("what a guest adds lies in the guest's cart as soon as the script is there, once, and in the account's after a later login", async () => {
    const customer = await newCustomer(shop, "early-guest@example.com");
    const { page, context, release } = await early("/singleProduct/unity-home-jersey");
    await page.getByRole("radio", { name: "L", exact: true }).check({ force: true });
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.waitForURL("**/Cart");
    await page.goto(`${shop.url}/login`, { waitUntil: "domcontentloaded" });
    const cart = page.getByRole("banner").getByText("CART (1)");
    await cart.waitFor(); // the page is rendered for one visitor, with the cart of the cookie
    await seesAfter(page, "Added to your cart: Unity Home Jersey", release);
    await cart.waitFor();
    await page.reload({ waitUntil: "networkidle" });
    await cart.waitFor();
    await page.goto(`${shop.url}/about`);
    await cart.waitFor();
    await page.goto(`${shop.url}/login`);
    await logIn(page, "early-guest@example.com");
    await page.waitForURL(`${shop.url}/`);
    await cart.waitFor();
    expect((await (await customer.get("/api/cart")).json()).lines).toMatchObject([{ size: "L", quantity: 1 }]);
    await context.close();
  });

  test("a verification can be made by hand after some seconds", async () => {
    const { page, context } = await early("/verification?oobCode=none");
    const button = page.getByRole("button", { name: "Verify my email" });
    await page.getByText("Verifying your email...").waitFor();
    const passed = (ms: number) =>
      page.evaluate((time) => {
        for (const animation of document.getAnimations()) {
          if (animation.timeline !== document.timeline) continue;
          animation.pause();
          animation.currentTime = time;
        }
      }, ms);
    await passed(4900);
    expect(await button.isVisible()).toBe(false);
    await passed(5100);
    expect(await button.isVisible()).toBe(true);
    await button.click();
    await page.getByText("Email verification failed. Please try again.").waitFor();
    await context.close();
  });

  test("who types again in a form that was refused is not led away", async () => {
    const { page, context, release } = await early("/register");
    const form = page.getByRole("main");
    await form.getByRole("button", { name: "Create my account" }).click();
    await form.locator('[aria-invalid="true"]').first().waitFor();
    await form.getByLabel("Email").focus();
    release();
    await scriptIsThere(page);
    await form.getByRole("button", { name: "Show password" }).dispatchEvent("click"); // the script controls the page
    await form.getByRole("button", { name: "Hide password" }).waitFor();
    await expect.poll(() => hasFocus(form.getByLabel("Email"))).toBe(true);
    await context.close();
  });

  test("what is chosen is a filter", async () => {
    const { page, context, release } = await early("/shop");
    await page.getByLabel("Size").selectOption("M");
    release();
    await page.waitForURL("**/shop?size=M");
    await context.close();
  });

  test("what is typed is a search that goes on", async () => {
    const { page, context, release } = await early("/shop");
    await page.getByLabel("Search").pressSequentially("unity ho");
    release();
    await page.getByLabel("Search").and(page.locator('[aria-expanded="false"]')).waitFor();
    await scriptIsThere(page);
    await page.getByLabel("Search").pressSequentially("me");
    await page.getByRole("option", { name: "Unity Home Jersey" }).waitFor();
    expect(await page.getByLabel("Search").inputValue()).toBe("unity home");
    await context.close();
  });

  test("whoever goes back comes to the page before", async () => {
    const { page, context, release } = await early("/shop");
    release();
    await scriptIsThere(page);
    await page.getByRole("link", { name: /^Unity Home Jersey/i }).click();
    await page.waitForURL("**/singleProduct/unity-home-jersey");
    await page.getByRole("button", { name: "Choose a size" }).waitFor();
    const held = await hold(page, /\/assets\/.*\.js/);
    await page.reload({ waitUntil: "commit" });
    await page.getByRole("radio", { name: "L", exact: true }).waitFor({ state: "attached" });
    await page.evaluate(() => history.back());
    await page.getByRole("heading", { name: "SHOP", level: 1 }).waitFor();
    held.release();
    await context.close();
  });

  test("whoever goes back while the page still arrives comes to the page before", async () => {
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    const slow = await stalling(shop.url, /Size guide/, goesOn);
    const { page, context } = await newVisitor(browser);
    await page.goto(`${slow.url}/shop`);
    await page.getByRole("link", { name: /^Unity Home Jersey/i }).click();
    await page.getByRole("button", { name: "Choose a size" }).waitFor();
    await page.reload({ waitUntil: "commit" });
    await page.getByRole("heading", { name: "Unity Home Jersey" }).waitFor();
    await page.evaluate(() => history.back());
    await page.getByRole("heading", { name: "SHOP", level: 1 }).waitFor();
    goOn();
    await context.close();
    await slow.stop();
  });

  test("a filter that the page does not offer stays in the address", async () => {
    const { page, context, release } = await early("/shop?size=M&color=Pink");
    release();
    await page.getByRole("link", { name: /^Pink/ }).waitFor();
    await scriptIsThere(page);
    await page.getByRole("button", { name: /Currency/ }).click(); // the script controls the page
    await page.getByRole("dialog").waitFor();
    expect(new URL(page.url()).search).toBe("?size=M&color=Pink");
    await context.close();
  });

  test("it comes all the same where nothing is told of the first paint", async () => {
    const { page, context } = await newVisitor(browser);
    await page.addInitScript(() => {
      PerformanceObserver.prototype.observe = () => {};
      performance.getEntriesByType = () => [];
    });
    await page.goto(`${shop.url}/about`);
    await page.waitForFunction(() => "__reactRouterDataRouter" in window);
    await context.close();
  });

  test("what a refused checkout has kept is there when its shopper comes back to it", async () => {
    const { page, context, release } = await early("/checkout", await customerWithTee("early-refused@example.com"));
    const phone = page.getByRole("main").getByLabel("Phone");
    await phone.fill("08031234567");
    await page.getByRole("button", { name: /^Pay Now/ }).click();
    await page.locator('input[value="08031234567"]').waitFor();
    release();
    await page.waitForFunction(() => sessionStorage.getItem("checkoutDraft"));
    await page.goto(`${shop.url}/Cart`);
    await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
    await expect.poll(() => phone.inputValue()).toBe("08031234567");
    await context.close();
  });

  test.each([
    ["/login", "Email", "Login", "Login failed"],
    ["/register", "First name", "Create my account", "Registration failed. Please try again."],
    ["/forgotPassword", "Email", "RETRIEVE PASSWORD", "Failed to reset password"],
    ["/subscribe", "First name", "Subscribe", "Error subscribing. Please try again."],
    ["/singleProduct/harmattan-zigzag-jersey", "Email", "Tell me when", "We can’t do this right now."],
  ])(
    "a form of %s that was refused keeps what was typed also when the next answer is lost",
    async (path, label, button, said) => {
      const { page, context, release } = await early(path);
      const form = page.getByRole("main");
      const press = () => form.getByRole("button", { name: button }).first().click();
      await form.getByLabel(label, { exact: true }).fill("Ada");
      await press();
      await page.locator('input[value="Ada"]').waitFor();
      release();
      await scriptIsThere(page);
      await page.route(/\.data/, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
      await press();
      await form.getByRole("alert").filter({ hasText: said }).waitFor();
      expect(await form.getByLabel(label, { exact: true }).inputValue()).toBe("Ada");
      await context.close();
    },
  );

  test("what is typed is where the order goes", async () => {
    const { page, context, release } = await early("/checkout", await customerWithTee("early@example.com"));
    const form = page.getByRole("main");
    await form.getByLabel("Phone").fill("08031234567");
    await form.getByRole("radio", { name: "Home Delivery" }).check();
    release();
    await form.getByLabel("State").selectOption("Lagos");
    await form.getByLabel("Street and number").fill("1 Broad Street");
    expect(await form.getByLabel("Phone").inputValue()).toBe("08031234567");
    await page.reload();
    await expect.poll(() => form.getByLabel("Street and number").inputValue()).toBe("1 Broad Street");
    expect(await form.getByLabel("Phone").inputValue()).toBe("08031234567");
    await context.close();
  });
});

test("a shipping field says what is wrong with it when it is left, not before, and no longer than until it is changed", async () => {
  const { page, context, complaints } = await newVisitor(browser, DESKTOP);
  await signIn(context, await customerWithTee("blur@example.com"));
  await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  const form = page.getByRole("main");
  const wrong = page.locator('[aria-invalid="true"]');
  const phone = form.getByLabel("Phone");
  await phone.pressSequentially("0803");
  expect(await wrong.count()).toBe(0);
  await phone.press("Shift+Tab");
  const problem = page.getByText("Please enter a valid phone number");
  await problem.waitFor();
  const [above, input] = await Promise.all([problem.boundingBox(), phone.boundingBox()]);
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(input?.y ?? 0);
  expect(await problem.evaluate((text) => getComputedStyle(text).color)).toBe("rgb(179, 38, 30)");
  expect(await phone.getAttribute("aria-invalid")).toBe("true");
  await phone.pressSequentially("1");
  await expect.poll(() => wrong.count()).toBe(0);
  await phone.fill("+234 803 123 4567");
  await form.getByLabel("Email").fill("ada@");
  await form.getByLabel("Home Delivery").check();
  await page.getByText("Please enter a valid email address.").waitFor();
  expect(await wrong.count()).toBe(1);

  // Pay Now checks every field, moves the focus to what is wrong, and opens nothing.
  await form.getByLabel("State").selectOption("Lagos");
  await form.getByLabel("Street and number").fill("1 Broad Street");
  await form.getByRole("button", { name: /^Pay Now/ }).click({ force: true }); // grey, but it can be pressed
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await form.getByLabel("Email").fill("ada@example.com");
  await form.getByRole("button", { name: /^Pay Now/ }).click();
  await page.getByRole("dialog", { name: "Choose a Payment Method" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("an order that was sent off says when and under which number, on its page and in the account", async () => {
  const customer = await customerWithTee("parcel@example.com");
  const payPage = (await pressPay(customer)).headers.get("location") ?? "";
  const reference = await endPayment(payPage, "success");
  const text = async (path: string) =>
    (await (await customer.get(path)).text()).replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]*>/g, "");
  expect(await text(`/order/${reference}`)).not.toContain("On its way to you");
  await ownerSays(shop, "orders", "fulfil", reference, "GIG-4711");
  await customer.post(`/order/${reference}`, {}); // the thanks are dismissed
  for (const path of [`/order/${reference}`, "/account"])
    for (const part of [/On its way to you\./, /Between \d+ \w+( \d+)? and \d+ \w+/, /GIG-4711/])
      expect(await text(path)).toMatch(part);
});

test("when the cart's drawer cannot be loaded that is said, the page stays, and the next press tries again", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.route(/\/assets\/drawer-/, (route) => route.abort());
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  await link("Cart")(page);
  await page.getByText("We can’t do this right now.").first().waitFor();
  await page.getByRole("heading", { name: "SHOP" }).waitFor();
  await page.unroute(/\/assets\/drawer-/);
  await link("Cart")(page);
  await page.getByRole("dialog", { name: "CART" }).waitFor();
  await context.close();
});

const UNAVAILABLE = "We can’t do this right now.";
const goTo = (path: string) => (page: Page) => page.goto(shop.url + path);

test.each([
  ["page", "Email", "Login", /\/login\.data/, "Login failed", goTo("/login")],
  [
    "page",
    "First name",
    "Create my account",
    /\/register\.data/,
    "Registration failed. Please try again.",
    goTo("/register"),
  ],
  ["page", "Email", "RETRIEVE PASSWORD", /\/forgotPassword\.data/, "Failed to reset password", goTo("/forgotPassword")],
  [
    "page",
    "New password",
    "RESET PASSWORD",
    /\/resetPassword\.data/,
    "Error resetting password. Please try again.",
    goTo("/resetPassword?oobCode=any"),
  ],
  ["page", "First name", "Subscribe", /\/subscribe\.data/, "Error subscribing. Please try again.", goTo("/subscribe")],
  [
    "page",
    "First name",
    "Save name",
    /\/account\.data/,
    UNAVAILABLE,
    async (page: Page) => {
      await signIn(page.context(), await newCustomer(shop, "unsaved@example.com"));
      await page.goto(`${shop.url}/account`);
      await page.getByRole("heading", { name: "Name", exact: true }).click();
    },
  ],
  [
    "dialog",
    "Email",
    "Login",
    /\/login\.data/,
    "Login failed",
    async (page: Page) => {
      await page.goto(`${shop.url}/singleProduct/rings-tee`, { waitUntil: "networkidle" });
      await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
      await page.getByRole("button", { name: "Add to Cart" }).click();
      await page.getByRole("link", { name: "CHECKOUT" }).click();
      await page.getByRole("dialog", { name: "Login" }).waitFor();
    },
  ],
])(
  "a %s whose form cannot be sent keeps what was typed, and says so (%s, %s)",
  async (where, label, button, to, said, open) => {
    const { page, context } = await newVisitor(browser, DESKTOP);
    await open(page);
    const form = where === "page" ? page.getByRole("main") : page.getByRole("dialog", { name: "Login" });
    await page.route(to, (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
    await form.getByLabel(label, { exact: true }).fill("ada@example.com");
    await form.getByRole("button", { name: button, exact: true }).click();
    await form.getByRole("alert").filter({ hasText: said }).waitFor();
    expect(await form.getByLabel(label, { exact: true }).inputValue()).toBe("ada@example.com");
    await context.close();
  },
);

test("the footer's form that is sent offline keeps what was typed, says so, and can be sent again; the page stays", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/about`);
  const footer = page.getByRole("contentinfo");
  await footer.getByLabel("First name").fill("Ada");
  await footer.getByLabel("Email").fill("ada-offline@example.com");
  await context.setOffline(true);
  const subscribe = () => footer.getByRole("button", { name: "Subscribe" }).click();
  await subscribe();
  await footer.getByText("Error subscribing. Please try again.").waitFor();
  expect(await footer.getByLabel("First name").inputValue()).toBe("Ada");
  expect(await footer.getByLabel("Email").inputValue()).toBe("ada-offline@example.com");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Built on unity and connection");
  await context.setOffline(false);
  await seesAfter(page, "Successfully subscribed!", subscribe);
  await context.close();
});

test("a verification whose answer does not come can be tried again", async () => {
  const email = "unanswered@example.com";
  const registered = newBrowser(shop.url);
  await registered.post("/register", { firstName: "Ada", lastName: "Obi", email, password: PASSWORD });
  const { text } = await mailTo(shop.dataDir, email, /Verify/);
  const { page, context } = await newVisitor(browser, DESKTOP);
  await context.addCookies([...registered.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.route(/\/verification\.data/, (route) => route.abort());
  await page.goto(linkIn(text, "/verification?oobCode="));
  await page.getByRole("alert").filter({ hasText: "Email verification failed. Please try again." }).waitFor();
  expect(page.url()).toBe(`${shop.url}/verification`);
  await page.reload();
  await page.getByRole("alert").filter({ hasText: "Email verification failed. Please try again." }).waitFor();
  await page.unroute(/\/verification\.data/);
  await page.getByRole("button", { name: "Verify my email" }).click();
  await page.getByText("Email verified successfully! You can now log in.").waitFor();
  expect(page.url()).toBe(`${shop.url}/verification`);
  await context.close();
});

test("S10 S11 a password that is chosen is advised on, can be shown and hidden again, and pasted", async () => {
  const { page, context } = await newVisitor(browser, {
    ...DESKTOP,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(`${shop.url}/register`, { waitUntil: "networkidle" });
  const form = page.getByRole("main");
  const password = form.getByLabel("Password", { exact: true });
  await password.pressSequentially("liverpool1");
  await form.getByText("One of the most used passwords").waitFor();
  const toggle = form.getByRole("button", { name: "password" });
  const seen = async () => [
    await toggle.textContent(),
    await toggle.getAttribute("aria-pressed"),
    await password.getAttribute("type"),
    await password.inputValue(),
  ];
  expect(await seen()).toEqual(["Show password", "false", "password", "liverpool1"]);
  await toggle.click();
  expect(await seen()).toEqual(["Hide password", "true", "text", "liverpool1"]);
  await toggle.click();
  expect(await seen()).toEqual(["Show password", "false", "password", "liverpool1"]);
  await page.evaluate(() => navigator.clipboard.writeText("red kites over Kano"));
  await password.press("ControlOrMeta+A");
  await password.press("ControlOrMeta+V");
  expect(await password.inputValue()).toBe("red kites over Kano");
  await form.getByText("A strong password.").waitFor();
  await context.close();
});

test("S15 a reset link's code leaves the address bar, the page can be loaded again and used, and 2 s later leads to the login", async () => {
  const email = "resets@example.com";
  await newCustomer(shop, email);
  await newBrowser(shop.url).post("/forgotPassword", { email });
  const { text } = await mailTo(shop.dataDir, email, /new password/);
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(linkIn(text, "/resetPassword?oobCode="));
  await page.waitForURL(`${shop.url}/resetPassword`);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "RESET PASSWORD" }).click();
  await page.getByText("Password should be at least 6 characters long").waitFor();
  await page.waitForURL(`${shop.url}/resetPassword`);
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  await page.reload();
  await page.clock.pauseAt("2026-03-16T12:10:00Z");
  await page.getByLabel("New password").fill("another-one");
  await page.getByRole("button", { name: "RESET PASSWORD" }).click();
  await page.getByText("Password reset successful!").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.runFor(1900);
  await page.evaluate(() => fetch("/robots.txt")); // what was asked before is told before
  expect(asked).not.toContain("/login.data");
  await page.clock.runFor(200);
  await page.waitForURL(`${shop.url}/login`);
  expect(asked).toContain("/login.data");
  await context.close();
});

test("who has verified their address meanwhile logs in with Enter, beside the button that sends the mail again", async () => {
  const email = "verifies@example.com";
  const [firstName, lastName, password] = ["Ada", "Obi", "harmony"];
  await newBrowser(shop.url).post("/register", { firstName, lastName, email, password });
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/login`);
  const enter = async () => {
    await page.getByRole("main").getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByLabel("Password").press("Enter");
  };
  await enter();
  await page.getByRole("button", { name: "Send the email again" }).waitFor();
  await ask(ownerUrl(shop), `update users set email_verified = true where email = '${email}'`);
  await seesAfter(page, "Welcome, Login Successful!", enter);
  await context.close();
});

test("a page that does not come leaves header and footer where they are", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/about`);
  await page.route(/\/shop\.data/, (route) => route.abort());
  await link("SHOP")(page);
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await page.getByRole("contentinfo").getByLabel("Email").waitFor();
  await page.unroute(/\/shop\.data/);
  await link("SHOP")(page);
  await page.getByRole("heading", { name: "SHOP", level: 1 }).waitFor();
  await context.close();
});
