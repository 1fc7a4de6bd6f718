import { randomBytes } from "node:crypto";
import { SESSION_COOKIE } from "#app/account/session/cookies.server.ts";
import { changeNoScriptCart } from "#app/cart/no-script-cart.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { offerTerms } from "#app/offers/terms.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { ROLES } from "#app/staff/roles.ts";
import { currentStaff } from "#app/staff/sessions.server.ts";
import type { useCheckout } from "#tests/support/checkout.ts";
import { newId } from "#tests/support/ids.ts";
import { asked, delivered } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";
import { OFFICE, officeRequest, staffWithPasskey } from "#tests/support/staff.ts";

type Checkout = ReturnType<typeof useCheckout>;

/** The names of existing things to which a request may refer. */
export const NAMES = [
  "product",
  "soldOut",
  "hidden",
  "reference",
  "number",
  "unpaid",
  "sold",
  "soldNumber",
  "return",
  "customer",
  "offer",
  "collection",
  "sizeGuide",
  "email",
  "staffEmail",
  "session",
  "mail",
  "uuid",
  "seen",
] as const;
export type Names = Record<(typeof NAMES)[number], string>;

/** The senders of requests, in the shop and in the office. */
export const SHOPPERS = ["nobody", "shopper", "buyer", "payer", "guest"] as const;
export const STAFF = ["nobody", ...ROLES] as const;
export type Who = (typeof SHOPPERS)[number] | (typeof STAFF)[number];

type Member = Awaited<ReturnType<typeof staffWithPasskey>>;
export type World = { names: Names; cookies: Partial<Record<Who, string>>; staff: Member[] };

/**
 * Makes a shop with something of each kind, and everybody signed in. Existing data stays, and so do these members of
 * the staff.
 */
export async function newWorld(checkout: Checkout, before: Member[] = []): Promise<World> {
  const { db, provider, open, oneBuyer } = checkout;
  const [product, soldOut, hidden] = await Promise.all([
    makeProduct(db(), { S: 20, M: 500, L: 3 }),
    makeProduct(db(), { M: 0 }),
    makeProduct(db(), { ONE: 5 }),
  ]);
  await db().updateTable("products").set({ hidden: true }).where("id", "=", hidden).execute();
  const shopper = await makeShopper(db(), { productId: product, size: "M", quantity: 2 });
  const { user: payer, payment } = await oneBuyer(5);
  const past = await delivered(checkout, { quantity: 3 });
  const number = await asked(db(), past);
  const fresh = await open(await makeShopper(db(), { productId: product, size: "M" }));
  provider.pay(fresh.reference);
  await settlePayment(fresh.reference);
  const staff = await onePerRole(checkout, before);
  const numberOf = async (reference: string) => {
    const sale = db().selectFrom("sales").innerJoin("orders", "orders.id", "sales.orderId").select("orders.number");
    return (await sale.where("sales.reference", "=", reference).executeTakeFirstOrThrow()).number;
  };
  const [mail, seen] = await Promise.all([
    db().selectFrom("outbox").select("id").executeTakeFirst(),
    db().selectFrom("auditLog").select("id").orderBy("id", "desc").executeTakeFirst(),
  ]);
  const session = await signIn(checkout, shopper.id);
  const names: Names = {
    product,
    soldOut,
    hidden,
    reference: past.reference,
    number: await numberOf(past.reference),
    unpaid: payment.reference,
    sold: fresh.reference,
    soldNumber: await numberOf(fresh.reference),
    return: number,
    customer: shopper.id,
    offer: await pausedOffer(checkout),
    collection: await collectionOf(checkout, product),
    sizeGuide: await sizeGuideOf(checkout, product),
    email: shopper.email,
    staffEmail: staff.at(-1)?.email ?? "",
    session: session.id,
    mail: mail?.id ?? "",
    uuid: newId(),
    seen: String(seen?.id ?? 0),
  };
  const cookies: World["cookies"] = {
    shopper: session.cookie,
    buyer: (await signIn(checkout, past.user.id)).cookie,
    payer: (await signIn(checkout, payer.id)).cookie,
    guest: await guestCookie(checkout, product),
  };
  staff.forEach(({ role, cookies: own }) => {
    cookies[role.name as Who] = own.map((cookie) => cookie.split(";")[0]).join("; ");
  });
  return { names, cookies, staff };
}

/**
 * One member for each role. Members who have lost the session or the role are replaced; the others stay, and the office
 * keeps only a few of the works that each of them has begun.
 */
async function onePerRole({ db }: Checkout, before: Member[]): Promise<Member[]> {
  // A sign-in counts as new for some minutes.
  await db().updateTable("staffSessions").set({ createdAt: new Date() }).execute();
  const people = ROLES.map(async (role) => {
    const member = before.find((one) => one.role.name === role);
    const staff = member && (await currentStaff(officeRequest(member.cookies)));
    return member && staff?.role.name === role ? member : staffWithPasskey(db(), role);
  });
  return Promise.all(people);
}

async function signIn({ db }: Checkout, userId: string): Promise<{ id: string; cookie: string }> {
  const token = randomBytes(32).toString("base64url");
  const session = { tokenHash: secretHash(token), userId, device: "A phone" };
  const { id } = await db().insertInto("sessions").values(session).returning("id").executeTakeFirstOrThrow();
  return { id, cookie: `${SESSION_COOKIE}=${token}` };
}

/** The cookie with the cart of a guest without script. */
async function guestCookie({ db }: Checkout, id: string): Promise<string> {
  const change = { intent: "add", id, size: "M", quantity: 2 } as const;
  const done = await changeNoScriptCart(db(), new Request(OFFICE), change);
  if (!done.ok) throw new Error(done.problem);
  return done.cookie.split(";")[0] ?? "";
}

/** An offer that counts in no cart, beside any number of others. */
async function pausedOffer({ db }: Checkout): Promise<string> {
  const terms = JSON.stringify(offerTerms.parse({ gift: { kind: "percent", percent: 10 } }));
  const { id } = await db()
    .insertInto("offers")
    .values({ name: "Radio week", terms, byCode: true, paused: true })
    .returning("id")
    .executeTakeFirstOrThrow();
  return String(id);
}

/** A collection that the shop shows, with one product. */
async function collectionOf({ db }: Checkout, productId: string): Promise<string> {
  const id = `owambe-${newId()}`;
  await db().insertInto("collections").values({ id, name: "Owambe", hidden: false, position: 1 }).execute();
  await db().insertInto("collectionProducts").values({ collectionId: id, productId, position: 1 }).execute();
  return id;
}

/** A size guide of one product. */
async function sizeGuideOf({ db }: Checkout, productId: string): Promise<string> {
  const guideId = `tees-${newId()}`;
  const { name, falls, measures, sizes } = sizeGuide();
  const table = { measures: JSON.stringify(measures), sizes: JSON.stringify(sizes) };
  await db()
    .insertInto("sizeGuides")
    .values({ id: guideId, name, falls, ...table })
    .execute();
  await db().insertInto("sizeGuideProducts").values({ productId, guideId }).execute();
  return guideId;
}

/** The text with each `{{name}}` in it filled in. */
export function filledIn(text: string, names: Names): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => names[name as keyof Names] ?? all);
}
