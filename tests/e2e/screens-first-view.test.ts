import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newVisitor } from "#tests/support/browser.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

test.each([
  [360, 640],
  [768, 1024],
])("the first view of a product on %i x %i shows its name and its price, under no bar", async (width, height) => {
  const { page, context } = await newVisitor(browser, { viewport: { width, height } });
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`);
  const main = page.getByRole("main");
  for (const wanted of [main.getByRole("heading", { level: 1 }), main.getByText("$49.99").first()])
    expect(await isUncovered(wanted)).toBe(true);
  await context.close();
});

/** Whether an element's text is completely in the window, and nothing covers its corners. */
function isUncovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].every(({ left, right, top, bottom }) =>
      [
        [left + 2, top + 2],
        [right - 2, top + 2],
        [left + 2, bottom - 2],
        [right - 2, bottom - 2],
      ].every(([x = 0, y = 0]) => {
        const seen = document.elementFromPoint(x, y);
        return seen !== null && (element.contains(seen) || seen.contains(element));
      }),
    );
  });
}

/** Scrolls to where no bar of the page lies on it. */
const toMiddle = (element: Element) => element.scrollIntoView({ block: "center", behavior: "instant" });

/** The situations in which a toast appears, each with its page and the action that leads to it. */
const TOASTS: [string, string, (page: Page) => Promise<unknown>][] = [
  [
    "more is wanted than there is",
    "/singleProduct/unity-home-jersey",
    async (page) => {
      await page.getByRole("group", { name: "Size" }).first().getByText("XXL", { exact: true }).click();
      for (let i = 0; i < 6; i++) await page.getByRole("button", { name: "One more" }).first().click({ force: true });
    },
  ],
  [
    "a guest wants to pay",
    "/Cart",
    async (page) => {
      await page.getByRole("link", { name: "Checkout" }).click();
      await page.getByRole("dialog", { name: "Login" }).waitFor();
    },
  ],
  [
    "the cart has all that there is",
    "/Cart",
    async (page) => {
      const more = page.getByRole("button", { name: /^One more: .*Rings/ });
      await more.evaluate(toMiddle);
      for (let i = 0; i < 6; i++) await more.click({ force: true });
    },
  ],
  [
    "a link is copied",
    "/singleProduct/unity-home-jersey",
    (page) => page.getByRole("button", { name: "Share Unity Home Jersey" }).click(),
  ],
  [
    "the newsletter lacks an address",
    "/about",
    (page) => page.getByRole("contentinfo").getByRole("button", { name: "Subscribe" }).click(),
  ],
];
const SIZES = [
  [360, 640],
  [768, 1024],
  [1440, 900],
  [1920, 1080],
] as const;

test.each(TOASTS.flatMap(([when, path, act]) => SIZES.map(([width, height]) => ({ when, path, act, width, height }))))(
  "a toast covers no heading, nothing that can be pressed and not what it speaks of when $when, on $width x $height",
  async ({ path, act, width, height }) => {
    const { page, context } = await newVisitor(browser, { viewport: { width, height } });
    await page.clock.install({ time: "2026-03-16T12:00:00Z" });
    await page.addInitScript(putIntoCart);
    await page.goto(shop.url + path);
    if (path === "/Cart") await page.getByLabel(/^Quantity of Unity Home/).waitFor();
    await page.clock.pauseAt("2026-03-16T12:05:00Z"); // the toast stays until the test has looked at it
    await act(page);
    expect(await coveredBy(page, await lastToast(page))).toEqual([]);
    await context.close();
  },
);

/** The toast that came last, at its place. */
async function lastToast(page: Page): Promise<Locator> {
  const toast = page
    .locator('[class^="go"]')
    .filter({ has: page.getByRole("status") })
    .last();
  await toast.waitFor();
  const isMoving = () =>
    toast.evaluate((element) => element.getAnimations().some(({ playState }) => playState === "running"));
  await expect.poll(isMoving).toBe(false);
  return toast;
}

test("a toast moves away from a button that arrives under it", async () => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 1440, height: 900 } });
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  await page.goto(`${shop.url}/about`);
  await page.clock.pauseAt("2026-03-16T12:05:00Z");
  await page.getByRole("contentinfo").getByRole("button", { name: "Subscribe" }).click();
  const toast = await lastToast(page);
  const box = await toast.boundingBox();
  await page.evaluate((place) => {
    const button = document.createElement("button");
    Object.assign(button.style, { position: "fixed", left: `${place?.x}px`, top: `${place?.y}px` });
    button.textContent = "Late";
    document.body.append(button);
  }, box);
  await expect.poll(() => coveredBy(page, toast)).toEqual([]);
  await context.close();
});

/** Runs in the page: a guest's cart with one jersey, and with all XXL of another. */
function putIntoCart(): void {
  const items = [
    { id: "unity-home-jersey", selectedSize: "M", color: "Palm Green", quantity: 1 },
    { id: "rings-tee", selectedSize: "XXL", color: "Off White", quantity: 99 },
  ];
  localStorage.setItem("cart", JSON.stringify(items));
}

/** The visible headings, buttons, fields and links that look like buttons under an element. */
async function coveredBy(page: Page, target: Locator): Promise<string[]> {
  const box = await target.boundingBox();
  if (!box) throw new Error("There is no toast");
  return page.evaluate(({ x, y, width, height }) => {
    const dialog = document.querySelector("dialog:modal");
    const all = "h1, h2, h3, button, input, select, textarea, summary, a.label";
    return [...(dialog ?? document).querySelectorAll(all)]
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isSeen =
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.matches(".sr-only") &&
          bottom > 0 &&
          top < innerHeight;
        return isSeen && left < x + width && right > x && top < y + height && bottom > y;
      })
      .map((element) => element.outerHTML.slice(0, 200));
  }, box);
}

test("on a phone a toast stands at the window's top, on paper with an edge, and only an error has a red cross", async () => {
  const permissions = ["clipboard-read", "clipboard-write"]; // some browsers grant them to any press, others do not
  const { page, context } = await newVisitor(browser, { viewport: { width: 360, height: 640 }, permissions });
  await page.addInitScript(putIntoCart);
  await page.clock.install({ time: "2026-03-16T12:00:00Z" });
  const seen = async (path: string, button: string | RegExp, text: string) => {
    await page.goto(shop.url + path);
    await page.clock.resume();
    await page.getByRole("button", { name: button }).last().waitFor();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
    if (path === "/Cart") await page.getByRole("button", { name: button }).last().evaluate(toMiddle);
    await page.getByRole("button", { name: button }).last().click({ force: true });
    const toast = page
      .locator('[class^="go"]')
      .filter({ has: page.getByRole("status").getByText(text) })
      .last();
    await toast.waitFor();
    return toast;
  };
  const looks = (toast: Locator) =>
    toast.evaluate((element) => {
      const { backgroundColor, borderTopWidth } = getComputedStyle(element);
      const colours = [...element.querySelectorAll("*")].map((one) => getComputedStyle(one).backgroundColor);
      return { backgroundColor, borderTopWidth, hasCross: colours.includes("rgb(179, 38, 30)") };
    });
  const paper = { backgroundColor: "rgb(251, 248, 242)", borderTopWidth: "1px" };
  const shared = await seen("/singleProduct/rings-tee", /^Share/, "Link copied.");
  await expect.poll(async () => (await shared.boundingBox())?.y).toBe(8);
  const refused = await seen("/about", "Subscribe", "Please fill in all fields.");
  expect(await looks(refused)).toEqual({ ...paper, hasCross: true });
  const limited = await seen("/Cart", /^One more: .*Rings/, "Cannot exceed available stock for this size");
  expect(await looks(limited)).toEqual({ ...paper, hasCross: false });
  await context.close();
});

test("what the form says itself, no toast says", async () => {
  const { page, context } = await newVisitor(browser);
  await page.goto(`${shop.url}/about`);
  const form = page.getByRole("contentinfo");
  await form.getByLabel("First name").fill("Ada");
  await form.getByLabel("Email").fill("ada");
  await form.getByRole("button", { name: "Subscribe" }).click();
  await form.getByRole("alert").waitFor();
  expect(await page.getByText("Please enter a valid email address.").count()).toBe(1);
  await context.close();
});

test("at 200% zoom on a laptop the cart shows a whole item", async () => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 683, height: 384 } });
  await page.addInitScript(putIntoCart);
  await page.goto(`${shop.url}/Cart`);
  await page.getByLabel(/^Quantity of Unity Home/).waitFor();
  const [item, foot] = await Promise.all([
    page.getByRole("main").getByRole("listitem").first().boundingBox(),
    page.getByText("Subtotal").boundingBox(),
  ]);
  expect(item && foot && Math.min(384, foot.y) - item.y).toBeGreaterThanOrEqual(item?.height ?? 0);
  await context.close();
});

test.each([
  ["with script", true],
  ["without script", false],
])("the home page says what the shop keeps until that was answered, %s", async (_, javaScriptEnabled) => {
  const { page, context, complaints } = await newVisitor(browser, { javaScriptEnabled });
  const notice = page.getByRole("region", { name: "What Irepo keeps about you" });
  const isNoticed = async () => {
    await page.goto(shop.url);
    await page.getByRole("heading", { name: "New Arrivals" }).waitFor();
    return notice.isVisible();
  };
  expect(await isNoticed()).toBe(true);
  await notice.getByText("What’s in this browser").click();
  await notice.getByText("(irepo.session, irepo_in, user, cartUserId)").waitFor();
  await notice.getByRole("button", { name: "Got it" }).click();
  await page.waitForURL(`${shop.url}/#new`);
  expect(await notice.isVisible()).toBe(false);
  expect(await isUncovered(page.getByRole("heading", { name: "New Arrivals" }))).toBe(true);
  expect(await isNoticed()).toBe(false);
  const [answer] = await context.cookies();
  expect(answer).toMatchObject({ name: "irepo.notice", httpOnly: true, sameSite: "Lax" });
  expect(complaints).toEqual([]);
  await context.close();
});

test("both renderings of the home page are cached, and nothing else of a visitor decides between them", async () => {
  const ask = async (cookie: string) => {
    const answer = await fetch(shop.url, { headers: { cookie } });
    const hasNotice = (await answer.text()).includes('id="kept"');
    return { hasNotice, tag: answer.headers.get("etag"), sets: answer.headers.get("set-cookie") };
  };
  const [first, again, answered, once] = [
    await ask(""),
    await ask("irepo.notice=2; a=irepo.notice=1"),
    await ask("irepo.notice=1"),
    await ask("a=b; irepo.notice=1"),
  ];
  expect(first).toEqual({ hasNotice: true, tag: expect.stringMatching(/^"/), sets: null });
  expect(again).toEqual(first);
  expect(answered).toEqual({ hasNotice: false, tag: expect.stringMatching(/^"/), sets: null });
  expect(once).toEqual(answered);
  expect(answered.tag).not.toBe(first.tag);
});
