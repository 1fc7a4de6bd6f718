import type { Page } from "playwright-core";

export type Who = "guest" | "shopper" | "customer" | "buyer" | "leaver" | "fresh" | "picker";
export type Shot = {
  name: string;
  path: string;
  who?: Who;
  whole?: boolean;
  print?: boolean;
  /** The name of the dialog that must be open. */
  opens?: string;
  before?(page: Page): Promise<unknown>;
};

export const GUEST_CART = [
  { id: "unity-home-jersey", selectedSize: "M", color: "Palm Green", quantity: 2, price: 49.99 },
  { id: "rings-tee", selectedSize: "L", color: "Off White", quantity: 1, price: 19.99 },
];
const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const openPanels = (page: Page) => page.evaluate(openAll);
const pickUp = async (page: Page) => {
  await page.getByLabel("Pick-up", { exact: true }).check();
  await page.getByLabel("Pick-up center").selectOption({ index: 1 });
};
const abroad = async (page: Page) => {
  await page.getByLabel("Country").selectOption("United Kingdom");
  await page.getByLabel("Phone").fill("12");
};
const home = async (page: Page) => {
  await page.getByLabel("Home Delivery").check();
  await page.getByLabel("State").selectOption("Lagos");
  await page.getByLabel("Street and number").fill("1 Broad Street");
  await page.getByRole("main").getByLabel("Phone").fill("0803 123 4567");
};

export const SHOTS: Shot[] = [
  { name: "home", path: "/", whole: true },
  { name: "home-first", path: "/" },
  { name: "home-green", path: "/", before: press("Show slide 2") },
  { name: "home-brown", path: "/", before: press("Show slide 3") },
  { name: "shop", path: "/shop", whole: true },
  { name: "shop-all", path: "/shop?page=2", whole: true },
  { name: "shop-filters", path: "/shop?size=M&max=60", before: openFilters },
  { name: "shop-nothing", path: "/shop?q=nothing-like-this" },
  { name: "product", path: "/singleProduct/unity-home-jersey", whole: true },
  { name: "product-first", path: "/singleProduct/unity-home-jersey" },
  {
    name: "product-chosen",
    path: "/singleProduct/unity-home-jersey",
    before: (page) => page.getByRole("group", { name: "Size" }).getByText("XXL").click(),
  },
  { name: "product-one-size", path: "/singleProduct/unity-scarf" },
  { name: "product-sold-out", path: "/singleProduct/harmattan-zigzag-jersey" },
  { name: "product-size-guide", path: "/singleProduct/unity-home-jersey", before: press("Size guide") },
  { name: "product-large", opens: "Large view", path: "/singleProduct/unity-home-jersey", before: press(/show large/) },
  { name: "product-none", path: "/singleProduct/none" },
  { name: "cart-empty", path: "/Cart" },
  { name: "cart-guest", path: "/Cart", who: "shopper" },
  { name: "cart-customer", path: "/Cart", who: "customer" },
  { name: "drawer", path: "/parentcomp", who: "shopper", opens: "CART", before: press("Open cart") },
  { name: "drawer-empty", path: "/parentcomp", opens: "CART", before: press("Open cart") },
  {
    name: "login-dialog",
    opens: "Login",
    path: "/Cart",
    who: "shopper",
    before: (page) => page.getByRole("link", { name: /^checkout$/i }).click(),
  },
  { name: "checkout-signed-out", path: "/checkout" },
  { name: "checkout-nigeria", path: "/checkout", who: "customer", whole: true, before: home },
  { name: "checkout-abroad", path: "/checkout", who: "customer", whole: true, before: abroad },
  { name: "checkout-pickup", path: "/checkout", who: "customer", whole: true, before: pickUp },
  { name: "checkout-wrong", path: "/checkout", who: "customer", whole: true, before: wrongPhone },
  {
    name: "payment",
    opens: "Choose a Payment Method",
    path: "/checkout",
    who: "customer",
    before: async (page) => {
      await home(page);
      await press(/^Pay Now/)(page);
    },
  },
  { name: "currency", opens: "Choose your currency", path: "/about", before: press(/^Currency/) },
  { name: "login", path: "/login", whole: true },
  {
    name: "login-wrong",
    path: "/login",
    before: async (page) => {
      await page.getByRole("main").getByLabel("Email").fill("a@b.c");
      await page.getByRole("main").getByLabel("Password", { exact: true }).fill("wrong");
      await page.getByRole("main").getByRole("button", { name: "Login" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "register", path: "/register", whole: true },
  {
    name: "register-wrong",
    path: "/register",
    before: async (page) => {
      await page.getByRole("button", { name: "Create my account" }).click();
      await page.getByText("Please enter your").first().waitFor();
    },
  },
  { name: "forgot-password", path: "/forgotPassword" },
  { name: "check-mail", path: "/checkMail" },
  { name: "reset-password", path: "/resetPassword?oobCode=x" },
  { name: "verify-mail", path: "/verifyMail" },
  { name: "verification-none", path: "/verification" },
  { name: "account-signed-out", path: "/account" },
  { name: "account-empty", path: "/account", who: "customer" },
  { name: "account", path: "/account", who: "buyer", whole: true },
  {
    name: "account-order",
    path: "/account",
    who: "buyer",
    whole: true,
    before: (page) => page.getByText("details").last().click(),
  },
  { name: "account-settings", path: "/account", who: "customer", whole: true, before: openPanels },
  { name: "order", path: "/order/", who: "buyer", whole: true },
  { name: "home-greeting", path: "/", who: "fresh", whole: true },
  { name: "home-greeting-first", path: "/", who: "fresh" },
  { name: "order-new", path: "/order/", who: "fresh", whole: true },
  { name: "order-ready", path: "/order/", who: "picker", whole: true },
  { name: "order-unpaid", path: "/order/", who: "leaver" },
  { name: "order-printed", path: "/order/", who: "buyer", whole: true, print: true },
  { name: "about", path: "/about", whole: true },
  { name: "returns", path: "/returnpolicy", whole: true },
  { name: "shipping", path: "/shipping-policy", whole: true },
  { name: "privacy", path: "/privacy-policy", whole: true },
  { name: "parentcomp", path: "/parentcomp" },
  { name: "subscribe", path: "/subscribe" },
  { name: "not-found", path: "/no-such-page" },
  { name: "mailbox", path: "/demo/mail" },
];

/** Opens the filters: on phones a sheet behind a button, elsewhere a bar that is always open. */
async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Filter and sort/ });
  if (await button.isVisible()) await button.click();
}

async function wrongPhone(page: Page): Promise<void> {
  await home(page);
  await page.getByRole("main").getByLabel("Phone").fill("0803");
  await press(/^Pay Now/)(page);
  await page.getByText("Please enter a valid phone number").waitFor();
}

function openAll(): void {
  for (const panel of document.querySelectorAll<HTMLDetailsElement>("main details")) panel.open = true;
}
