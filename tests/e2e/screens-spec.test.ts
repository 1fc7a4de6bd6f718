import type { BrowserContext, Locator, Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { drawn, newVisitor, WITH_WORKER } from "#tests/support/browser.ts";
import { leastContrast, WINDOWS } from "#tests/support/contrast.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

// The specification's sections 2, 4, 8 and 9: widths to the pixel, and times by a clock that the test controls. Texts
// are tested in screens.test.ts.

useShopInBrowser();

const WIDTHS = [360, 768, 1024, 1440];
const LARGE = 1024;
const HEIGHT = 900;

async function visit(width: number, path: string): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await newVisitor(browser, { viewport: { width, height: HEIGHT } });
  await page.goto(shop.url + path, { waitUntil: "networkidle" });
  return { page, context };
}

/** Like `visit`, but time passes only when the test moves the clock. */
async function visitAtRest(width: number, path: string) {
  const { page, context } = await newVisitor(browser, { ...WITH_WORKER, viewport: { width, height: HEIGHT } });
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  await page.goto(shop.url + path, { waitUntil: "networkidle" });
  await page.clock.pauseAt("2026-03-16T12:10:00Z");
  return { page, context };
}

describe.each(WIDTHS)("at %i px", (width) => {
  test("the frame is the phone's or the desktop's", async () => {
    const { page, context } = await visit(width, "/shop");
    const large = width >= LARGE;
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(large);
    expect(await page.getByRole("link", { name: "CART (0)" }).isVisible()).toBe(large);
    expect(await page.getByRole("navigation", { name: "Shop" }).isVisible()).toBe(!large);
    const columns = await page
      .locator("main ul")
      .last()
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns);
    expect(columns.split(" ").length).toBe(large ? (width >= 1280 ? 4 : 3) : 2);
    expect(await page.getByText("CONTACT", { exact: true }).evaluate((element) => element.closest("a"))).toBeNull();
    expect(await page.locator('footer a[href^="mailto:"]').count()).toBe(1);
    await context.close();
  });

  test("adding opens the drawer from 1024 px on, else the cart's page; the drawer is 96 units wide and holds the page", async () => {
    const { page, context } = await visit(width, "/singleProduct/unity-home-jersey");
    await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
    await page.getByRole("button", { name: "Add to Cart" }).click();
    if (width < LARGE) await page.waitForURL("**/Cart");
    await page.getByText("Shipping & taxes calculated at checkout").waitFor();
    if (width >= LARGE) {
      const drawer = page.getByRole("dialog", { name: "CART" });
      await drawer.evaluate((dialog) => Promise.all(dialog.getAnimations().map(({ finished }) => finished)));
      expect(await drawer.boundingBox()).toMatchObject({ x: width - 384, width: 384, height: HEIGHT });
      await page.mouse.wheel(0, 500);
      await drawn(page);
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await drawer.getByRole("button", { name: "Close" }).click();
      await drawer.waitFor({ state: "hidden" });
    }
    await context.close();
  });

  test("the hero fills 90% of the window, turns every 5 s, wraps, obeys dots and pause, and has a crop for the window", async () => {
    const { page, context } = await visitAtRest(width, "/");
    const hero = page.getByRole("region", { name: "New at Irepo" });
    expect((await hero.boundingBox())?.height).toBe(HEIGHT * 0.9);
    const slides = hero.locator('[aria-roledescription="slide"]');
    const current = () => slides.evaluateAll((all) => all.findIndex((slide) => !(slide as HTMLElement).inert));
    expect(await slides.first().evaluate((slide) => getComputedStyle(slide).transitionDuration)).toBe("0.5s");
    const dots = hero.getByRole("button", { name: /^Show slide/ });
    expect(await dots.count()).toBe(3);
    const leave = async () => {
      await page.mouse.move(0, 0);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    };
    await dots.first().click();
    await leave();
    const places = () =>
      dots.locator("span").evaluateAll((all) => all.map((dot) => JSON.stringify(dot.getBoundingClientRect())));
    const before = await places();
    for (const [wait = 0, shown] of [
      [4900, 0],
      [200, 1],
      [5100, 2],
      [5100, 0],
    ]) {
      await page.clock.runFor(wait);
      await expect.poll(current).toBe(shown); // as soon as its picture is there
      expect(await places()).toEqual(before);
    }
    await dots.nth(2).click();
    expect(await current()).toBe(2);
    const shown = await dots.evaluateAll((all) => all.map((dot) => dot.getAttribute("aria-current")));
    expect(shown).toEqual(["false", "false", "true"]);
    const seenWidths = () =>
      dots.locator("span:last-child").evaluateAll((all) =>
        all.map((dot) => {
          const [, side = 0] = /^inset\(0px ([\d.]+)px/.exec(getComputedStyle(dot).clipPath) ?? [];
          return (dot as HTMLElement).offsetWidth - 2 * Number(side);
        }),
      );
    await expect.poll(seenWidths).toEqual([8, 8, 32]);
    const files = await slides
      .locator("img")
      .evaluateAll((all) => all.map((img) => /hero-[a-z]+-[a-z]+/.exec((img as HTMLImageElement).currentSrc)?.[0]));
    const crop = width < 768 ? "phone" : width < 1440 ? "tablet" : "desktop";
    expect(files).toEqual(["orange", "green", "brown"].map((color) => `hero-${color}-${crop}`));
    await hero.getByRole("button", { name: "Pause the slides" }).click();
    await leave();
    await page.clock.runFor(20_000);
    expect(await current()).toBe(2);
    await context.close();
  });
});

test.each(WINDOWS)(
  "at %i × %i px the campaign's words stand on flat colour, and each slide leads to what it shows",
  async (width, height) => {
    const { page, context } = await newVisitor(browser, { viewport: { width, height }, reducedMotion: "reduce" });
    await page.goto(shop.url, { waitUntil: "networkidle" });
    const hero = page.getByRole("region", { name: "New at Irepo" });
    for (const [index, product] of ["unity-away-jersey", "lagoon-sash-jersey", "cocoa-hoops-jersey"].entries()) {
      await hero.getByRole("button", { name: `Show slide ${index + 1}` }).click();
      const slide = hero.locator('[aria-roledescription="slide"]:not([inert])');
      await slide.locator("img").evaluate((img: HTMLImageElement) => img.decode());
      const link = slide.locator(`a[href="/singleProduct/${product}"]`);
      expect(await leastContrast(page, slide.locator("p"))).toBeGreaterThanOrEqual(4.5);
      expect(await leastContrast(page, link)).toBeGreaterThanOrEqual(4.5);
      expect(await link.textContent()).toContain("$");
    }
    await context.close();
  },
);

test.each(WINDOWS.filter(([width = 0]) => width < LARGE))(
  "at %i × %i px the title of what follows the hero is seen above the navigation",
  async (width, height) => {
    const { page, context } = await newVisitor(browser, { viewport: { width, height } });
    const isSeen = async (name: string) => {
      const title = await page.getByRole("heading", { name }).boundingBox();
      const navigation = await page.getByRole("navigation", { name: "Shop" }).boundingBox();
      expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
    };
    await page.goto(shop.url);
    await isSeen("What Irepo keeps about you");
    await page.getByRole("button", { name: "Got it" }).click();
    await page.waitForURL("**/#new");
    await page.goto(shop.url);
    await isSeen("New arrivals");
    await context.close();
  },
);

test("on a low phone the hero's garments fill the width, cut at the top, and its link stands apart from the button", async () => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 360, height: 640 } });
  await page.goto(shop.url);
  const slide = page.getByRole("region", { name: "New at Irepo" }).locator('[aria-roledescription="slide"]').first();
  const drawnWidth = await slide.locator("img").evaluate(async (img: HTMLImageElement) => {
    await img.decode();
    const { objectFit } = getComputedStyle(img);
    const [wide, high] = [img.clientWidth / img.naturalWidth, img.clientHeight / img.naturalHeight];
    return img.naturalWidth * (objectFit === "cover" ? Math.max(wide, high) : Math.min(wide, high));
  });
  expect(drawnWidth).toBeCloseTo(360, 0); // the garments take nine tenths of the picture
  const [button, link] = await Promise.all([
    slide.getByRole("link", { name: "Shop Now" }).boundingBox(),
    slide.locator('a[href^="/singleProduct/"]').boundingBox(),
  ]);
  expect((link?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0)).toBe(16);
  await context.close();
});

test("the hero goes on turning after a tap on a phone, and pauses for a mouse", async () => {
  const { page, context } = await newVisitor(browser, { hasTouch: true });
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  await page.goto(shop.url, { waitUntil: "networkidle" });
  await page.clock.pauseAt("2026-03-16T12:10:00Z");
  const hero = page.getByRole("region", { name: "New at Irepo" });
  const current = () =>
    hero
      .locator('[aria-roledescription="slide"]')
      .evaluateAll((all) => all.findIndex((slide) => slide instanceof HTMLElement && !slide.inert));
  // These taps replace whatever change of the slide was pending.
  for (const slide of [3, 1]) await hero.getByRole("button", { name: `Show slide ${slide}` }).tap();
  await page.touchscreen.tap(200, 100);
  await page.clock.runFor(5100);
  await expect.poll(current).toBe(1);
  await page.mouse.move(200, 200);
  await page.clock.runFor(20_000);
  expect(await current()).toBe(1);
  await page.mouse.move(200, 830);
  await page.clock.runFor(5100);
  await expect.poll(current).toBe(2);
  await context.close();
});

test("a slide waits for its picture", async () => {
  const { page, context } = await newVisitor(browser);
  const asked: Route[] = [];
  await page.route("**/home/hero-green-*", (route) => void asked.push(route));
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  await page.goto(shop.url, { waitUntil: "domcontentloaded" }); // the network is not idle while the picture is held
  await page.clock.pauseAt("2026-03-16T12:10:00Z");
  const askedFor = async () => {
    await page.clock.runFor(1000);
    return asked.length;
  };
  await expect.poll(askedFor).toBe(1);
  await page.clock.runFor(20_000);
  const second = page.getByRole("group", { name: "2 of 3", includeHidden: true });
  expect(await second.getAttribute("inert")).not.toBeNull();
  await asked[0]?.continue();
  await expect.poll(() => second.getAttribute("inert")).toBeNull();
  await context.close();
});

test("the login prompt of the checkout stands in the shop's frame, and leads to /shop after 60 s and not before", async () => {
  const { page, context } = await newVisitor(browser);
  await page.clock.install();
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  expect(await page.getByRole("navigation", { name: "Shop" }).isVisible()).toBe(true);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.runFor(55_000);
  await page.evaluate(() => fetch("/robots.txt")); // earlier requests are reported before this one
  expect(asked).not.toContain("/shop.data");
  await page.clock.runFor(5000);
  await page.waitForURL("**/shop");
  expect(asked).toContain("/shop.data");
  await context.close();
});

const LEAVING = 1000; // ms in which a toast fades and is taken away

const toastsOf = (page: Page, text = "") => page.locator('[class^="go"] [role="status"]').filter({ hasText: text });

/** How long a toast stays from now on, in ms of a clock that stands, to the half second. */
async function lifetime(page: Page, text: string): Promise<number> {
  const toasts = toastsOf(page, text);
  await toasts.waitFor();
  let ms = 0;
  for (; (await toasts.count()) > 0 && ms < 10_000; ms += 100) await page.clock.runFor(100);
  return Math.round((ms - LEAVING) / 500) * 500;
}

test("an error stays 4 s, a success 2 s, and at most 20 toasts are shown", async () => {
  const { page, context } = await visitAtRest(1440, "/about");
  const footer = page.getByRole("contentinfo");
  const toasts = toastsOf(page);
  const subscribe = () => footer.getByRole("button", { name: "Subscribe" }).click();
  await subscribe();
  expect(await lifetime(page, "Please fill in all fields.")).toBe(4000);
  await footer.getByLabel("First name").fill("Ada");
  await footer.getByLabel("Email").fill("ada@example.com");
  await subscribe();
  expect(await lifetime(page, "Successfully subscribed!")).toBe(2000);
  for (let i = 0; i < 3; i++) {
    const answered = page.waitForResponse("**/subscribe");
    await subscribe();
    await answered;
    await footer.locator('button[aria-busy="true"]').waitFor({ state: "detached" });
  }
  expect(await toasts.count(), "one stands for many of the same").toBe(1);
  await page.addInitScript(() => {
    const left = Array.from({ length: 23 }, (_, i) => ({ type: "blank", message: `Toast ${i}`, remaining: 4000 }));
    sessionStorage.setItem("toasts", JSON.stringify({ at: Date.now(), left }));
  });
  await page.reload();
  await expect.poll(() => toasts.count()).toBe(20);
  await context.close();
}, 120_000);

test("a toast that a reload cuts off goes on for the rest of its 4 s", async () => {
  const { page, context } = await visitAtRest(1440, "/about");
  const toast = toastsOf(page, "Please fill in all fields.");
  await page.getByRole("contentinfo").getByRole("button", { name: "Subscribe" }).click();
  await toast.waitFor();
  await page.clock.runFor(1500);
  await page.reload();
  expect(await lifetime(page, "Please fill in all fields.")).toBe(2500);
  await context.close();
});

test("on a small phone a toast covers neither the heading of the dialog that it leads to nor what was pressed", async () => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 360, height: 640 } });
  await page.goto(`${shop.url}/about`);
  await page.evaluate(() =>
    localStorage.setItem("cart", JSON.stringify([{ id: "unity-home-jersey", selectedSize: "M", quantity: 1 }])),
  );
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  await page.goto(`${shop.url}/Cart`, { waitUntil: "networkidle" });
  await page.clock.pauseAt("2026-03-16T12:10:00Z"); // the toast stays until the test looks at it
  await page.getByRole("link", { name: "Checkout" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Create one" }).click();
  const toast = toastsOf(page, "Please log in");
  const heading = page.getByRole("heading", { name: "Create account" });
  await heading.waitFor();
  const [said, title] = await Promise.all([toast.boundingBox(), heading.boundingBox()]);
  expect(said?.y).toBeGreaterThan((title?.y ?? 0) + (title?.height ?? 0));
  await context.close();
});

/** Signs in by the form on the page or in a dialog. */
async function logIn(page: Page, form: Locator): Promise<void> {
  await form.getByLabel("Email").fill("clock@example.com");
  await form.getByLabel("Password", { exact: true }).fill("harmony");
  await form.getByRole("button", { name: "Login", exact: true }).click();
  await page.getByText("Welcome, Login Successful!").waitFor();
}

/** Goes on to this page as a guest with so many tees in the cart. */
async function goAsGuestWith(page: Page, quantity: number, path: string): Promise<void> {
  const cart = JSON.stringify([{ id: "rings-tee", selectedSize: "M", quantity }]);
  await page.evaluate((cart) => localStorage.setItem("cart", cart), cart);
  await page.goto(shop.url + path, { waitUntil: "networkidle" });
}

test("after a login 2 s pass before the way goes home, or its dialog closes; after a logout on the account page as well", async () => {
  await newCustomer(shop, "clock@example.com");
  const { page, context } = await visitAtRest(1440, "/about");
  await goAsGuestWith(page, 99, "/login");
  await logIn(page, page.getByRole("main"));
  await page.clock.runFor(1900);
  expect(page.url()).toBe(`${shop.url}/login`);
  await page.clock.runFor(200);
  await page.waitForURL(`${shop.url}/`);
  const adjusted = "Some items quantities were adjusted due to available stock";
  expect(await lifetime(page, adjusted), "the rest of its 4 s").toBe(2000);
  await page.goto(`${shop.url}/account`, { waitUntil: "networkidle" });
  await page.getByText("You haven't placed any orders yet.").waitFor();
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready; // it deletes unknown caches as it becomes active
    while (active && active.state !== "activated")
      await new Promise((changed) => active.addEventListener("statechange", changed, { once: true }));
    localStorage.setItem("currency", "NGN");
    localStorage.setItem("checkoutIntent", "true");
    sessionStorage.setItem("checkoutDraft", "{}");
    await (await caches.open("kept")).put("/about", new Response("about"));
  });
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.waitForFunction(() => !localStorage.getItem("cartUserId"));
  const rest = await page.evaluate(async () => ({
    ofAccount: ["user", "cart", "cartMergeId", "checkoutIntent"].filter((key) => localStorage.getItem(key) !== null),
    draft: sessionStorage.getItem("checkoutDraft"),
    currency: localStorage.getItem("currency"),
    canReadOffline: (await caches.match("/about")) !== undefined,
  }));
  expect(rest).toEqual({ ofAccount: [], draft: null, currency: "NGN", canReadOffline: true });
  await page.clock.runFor(1900);
  expect(page.url()).toBe(`${shop.url}/account`);
  await page.clock.runFor(200);
  await page.waitForURL(`${shop.url}/`);
  await goAsGuestWith(page, 1, "/about");
  await page.getByRole("link", { name: /^CART/ }).click();
  await page.getByRole("link", { name: "CHECKOUT" }).click();
  expect(await page.evaluate(() => localStorage.getItem("checkoutIntent"))).toBe("true");
  const dialog = page.getByRole("dialog", { name: "Login" });
  await logIn(page, dialog);
  await page.clock.runFor(1900);
  await page.evaluate(() => fetch("/robots.txt")); // meanwhile a dialog that has been closed is gone
  expect(await dialog.isVisible()).toBe(true);
  await page.clock.runFor(200);
  await dialog.waitFor({ state: "hidden" });
  await page.waitForURL(`${shop.url}/checkout`);
  await context.close();
});

test("every change of page starts at its top with the focus on its content; Back finds the place again", async () => {
  const { page, context } = await visit(1440, "/shop");
  await page.evaluate(() => scrollTo(0, 600));
  await page.getByRole("link", { name: /Lagoon Sash/ }).click();
  await page.waitForURL("**/singleProduct/**");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  await page.goForward();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await context.close();
});
