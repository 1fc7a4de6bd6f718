import { endPayment, LAGOS, newVisitor, PASSWORD, shownOn } from "#tests/support/http-visitor.ts";
import { expectAnswer, Otherwise } from "./answers.ts";
import { type Doing, drawn, type Journey, multipart, PRODUCT, photograph, SOLD_OUT } from "./doing.ts";

/** A new address each time, from a network whose country only the geolocation service can know. */
const fromAfar = () => ({ "x-forwarded-for": `203.0.113.${(addresses++ % 250) + 1}` });
let addresses = 0;

export const SHOPPER: Record<string, Journey> = {
  async pages({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    for (const page of ["/", "/shop", `/singleProduct/${PRODUCT.id}`, "/about"])
      await expectAnswer(clock, () => visitor.get(page), 200, page === "/shop" ? "≈ " : "Irepo");
  },
  async pictures({ shop, clock, picture }) {
    const { answer } = await expectAnswer(clock, () => fetch(`${shop.url}/images/${picture}/160.webp`), 200, "WEBP");
    if (answer.headers.get("content-type") !== "image/webp") throw new Otherwise("no picture");
  },
  async search({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    await expectAnswer(clock, () => visitor.get(`/shop?q=rings ${drawn()}`), 200);
    await expectAnswer(clock, () => visitor.get("/api/suggestions?q=rings"), 200, "Rings");
  },
  async "currency and delivery"({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    await expectAnswer(clock, () => visitor.get("/shop", fromAfar()), 200, 'data-currency="');
    await expectAnswer(clock, () => visitor.get("/api/delivery", fromAfar()), 200, "Lagos");
  },
  async "a guest's cart"({ shop, clock }) {
    const visitor = newVisitor(shop.url);
    const add = { intent: "add", ...PRODUCT, quantity: "1" };
    await expectAnswer(clock, () => visitor.post("/Cart", add), 303);
    await expectAnswer(clock, () => visitor.get("/Cart"), 200, "Rings Tee");
  },
  async "a customer's cart"({ regular: { visitor }, clock }) {
    const other = { id: PRODUCT.id, size: "L" };
    await expectAnswer(clock, () => visitor.post("/Cart", { intent: "add", ...other, quantity: "1" }), 303);
    await expectAnswer(clock, () => visitor.get("/Cart"), 200, "Rings Tee");
    await expectAnswer(clock, () => visitor.post("/Cart", { intent: "remove", ...other }), 303);
  },
  async "live stream"({ regular: { visitor }, clock }) {
    const begun = performance.now();
    const answer = await visitor.get("/api/live");
    if (answer.status !== 200) return expectAnswer(clock, () => Promise.resolve(answer), 200);
    for await (const part of answer.body ?? []) {
      clock.slowest = performance.now() - begun;
      if (Buffer.from(part).includes('"count"')) return;
    }
    throw new Otherwise("ended without a word");
  },
  async register({ shop, made, clock }) {
    made.newcomer = `${drawn()}@example.com`;
    const person = { firstName: "Ngozi", lastName: "Obi", email: made.newcomer, password: PASSWORD };
    await expectAnswer(clock, () => newVisitor(shop.url).post("/register", person), 303);
  },
  async verify({ shop, materials: { code }, clock }) {
    await expectAnswer(
      clock,
      () => newVisitor(shop.url).post("/verification", { oobCode: code, password: PASSWORD }),
      303,
      "verified",
    );
  },
  async login({ shop, regular: { email }, clock }) {
    const visitor = newVisitor(shop.url);
    await expectAnswer(clock, () => visitor.post("/login", { email, password: PASSWORD }), 303);
  },
  async "forgotten password"({ shop, regular: { email }, clock }) {
    await expectAnswer(clock, () => newVisitor(shop.url).post("/forgotPassword", { email }), 303);
  },
  async "Google sign-in"({ shop, agreed, clock }) {
    const visitor = newVisitor(shop.url);
    const { location } = await expectAnswer(clock, () => visitor.post("/auth/google", { from: "login" }), 303);
    const back = `/auth/google/callback?${agreed(location)}`;
    await expectAnswer(clock, () => visitor.get(back), 303);
    await expectAnswer(clock, () => visitor.get("/account"), 200, "Welcome");
  },
  async "checkout form"({ materials: { payer }, clock }) {
    await expectAnswer(clock, () => payer.get("/checkout", fromAfar()), 200, "Pay Now");
  },
  pay: pressPay,
  async "return from payment"({ materials: { paying }, made, clock }) {
    const { visitor, payPage, reference } = paying;
    await endPayment(payPage, "success");
    const { location } = await expectAnswer(clock, () => visitor.get(`/checkout/return?reference=${reference}`), 303);
    await expectAnswer(clock, () => visitor.get(location), 200, "Order has been recorded");
    made.bought = reference;
  },
  async "order page"({ regular, clock }) {
    await expectAnswer(clock, () => regular.visitor.get(`/order/${regular.delivered}`), 200, "Delivered");
  },
  async account({ regular: { visitor }, clock }) {
    await expectAnswer(clock, () => visitor.get("/account"), 200, "Welcome");
  },
  async "return request"({ shop, regular: { visitor, delivered }, made, clock }) {
    const wish = { [`quantity:${PRODUCT.id}:${PRODUCT.size}`]: "1", reason: "damaged", words: "It is torn" };
    const { location } = await expectAnswer(clock, () => visitor.post(`/order/${delivered}/return`, wish), 303);
    const number = new URL(location, shop.url).hash.slice(1);
    made.asked = number;
    const picture = await photograph();
    const place = `${shop.url}/order/${delivered}/pictures`;
    await expectAnswer(clock, () => multipart(visitor, place, { number, picture }), 303, number);
  },
  async newsletter({ shop, clock }) {
    const wish = { firstName: "Ngozi", email: `${drawn()}@example.com` };
    await expectAnswer(clock, () => newVisitor(shop.url).post("/subscribe", wish), 303);
  },
  async "back-in-stock alert"({ shop, clock }) {
    const wish = { ...SOLD_OUT, email: `${drawn()}@example.com` };
    await expectAnswer(clock, () => newVisitor(shop.url).post("/backInStock", wish), 303, "sent");
  },
  async settings({ regular: { visitor }, clock }) {
    const name = { setting: "name", firstName: "Ada", lastName: drawn().replaceAll(/\d/g, "x") };
    await expectAnswer(clock, () => visitor.post("/account", name), 303, "saved=name");
    await expectAnswer(clock, () => visitor.get("/account"), 200, name.lastName);
  },
  async logout({ materials: { signedIn }, clock }) {
    await expectAnswer(clock, () => signedIn.post("/logout", {}), 303);
    await expectAnswer(clock, () => signedIn.get("/account"), 200, "/login?next=/account");
  },
  async "account deletion"({ materials: { leaver }, clock }) {
    const wish = { setting: "delete", current: PASSWORD };
    await expectAnswer(clock, () => leaver.post("/account", wish), 303);
  },
};

/** Presses Pay as without script. Returns the address of the page on which to pay. */
export async function pressPay({ materials, clock }: Pick<Doing, "materials" | "clock">): Promise<string> {
  const { payer } = materials;
  const first = await payer.post("/checkout", LAGOS);
  if (first.status !== 400) await expectAnswer(clock, () => Promise.resolve(first), 400);
  const agreed = await shownOn(first);
  const { location } = await expectAnswer(clock, () => payer.post("/checkout", { ...LAGOS, ...agreed }), 303, "http");
  return location;
}
