import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { sql } from "kysely";
import { type ActionFunctionArgs, type LoaderFunctionArgs, RouterContextProvider } from "react-router";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { TAKEN_IDS } from "#app/catalog/documents/fields.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { subscribe } from "#app/newsletter/newsletter.server.ts";
import { offerTerms } from "#app/offers/terms.ts";
import { STANDARD } from "#app/orders/handover/ways.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { addCollection, addProducts } from "#app/owner/collections/collections.server.ts";
import { switchHandover } from "#app/owner/delivery/handover.server.ts";
import { previewRates } from "#app/owner/delivery/import.server.ts";
import { addKind } from "#app/owner/kinds/kinds.server.ts";
import { holdRate, releaseRate } from "#app/owner/money/rate-hold.server.ts";
import { readTill } from "#app/owner/money/till.server.ts";
import { addOffer, changeOffer, listOffers } from "#app/owner/offers/offers.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { readCourierColumns } from "#app/owner/orders/courier/columns.server.ts";
import { markPacked, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { takeSteps } from "#app/owner/orders/many/steps.server.ts";
import { markManySent } from "#app/owner/orders/parcels/parcels.server.ts";
import { addParcelPicture } from "#app/owner/orders/parcels/pictures.server.ts";
import { sellAtStall } from "#app/owner/orders/stall/sell.server.ts";
import { takeableActs } from "#app/owner/orders/take-back.server.ts";
import { planPrices } from "#app/owner/prices/price-change.server.ts";
import { planSale } from "#app/owner/prices/sale-plan.server.ts";
import { switchQueueOn } from "#app/owner/queues/queues.server.ts";
import { vatRates } from "#app/owner/receipts/number.server.ts";
import { receiptSettings, setVatRate } from "#app/owner/receipts/settings.server.ts";
import { approveReturn } from "#app/owner/returns/returns.server.ts";
import { storedSlides, versionOf } from "#app/owner/shop/hero.server.ts";
import { setOldAddress } from "#app/owner/shop/old-addresses.server.ts";
import { storedSections } from "#app/owner/shop/sections.server.ts";
import { shopValues } from "#app/owner/shop/settings.server.ts";
import { endOfDay, shopDay } from "#app/owner/shop-time.server.ts";
import { addSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";
import { changeCustomerTags, changeOrderTags } from "#app/owner/tags/change.server.ts";
import { publishText, textVersions } from "#app/owner/texts/versions.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { paystack } from "#app/paystack/provider.server.ts";
import { saveRole } from "#app/staff/own-roles.server.ts";
import { listPasskeys, passkeyToMake } from "#app/staff/passkeys.server.ts";
import { SIGN_IN_ANEW } from "#app/staff/refusals.ts";
import { builtIn, may, type Permission, ROLES } from "#app/staff/roles.ts";
import { actorOf, listSessions } from "#app/staff/sessions.server.ts";
import { newTotpSecret } from "#app/staff/totp.server.ts";
import { softwareAuthenticator } from "#tests/support/authenticator.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { aWay, typedWay } from "#tests/support/delivery-ways.ts";
import { PRESSES, UNSEEN } from "#tests/support/office-presses.ts";
import { newBrowser } from "#tests/support/push-service.ts";
import { asked, OFFICE as BY, delivered } from "#tests/support/returns.ts";
import { lagosForm, makeProduct, makeShopper } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";
import { invite, OFFICE, officeRequest, PASSWORD, staffWithPasskey, totpNow } from "#tests/support/staff.ts";
import { endLinkChecks, paidByHand, staffOrder } from "#tests/support/staff-order.ts";
import { csvResponse } from "../office/http/csv.server.ts";
import { requireStaff } from "../office/http/staff.server.ts";
import { beginPreview } from "../office/import/works.server.ts";
import { stepWorks } from "../office/orders/many/works.server.ts";
import { sheetWorks } from "../office/orders/sheet.server.ts";
import { action as passkeyOptions } from "../office/routes/passkey-options.ts";
import officeRoutes from "../office/routes.ts";

const checkout = useCheckout();
const { db, provider, oneBuyer, openPickUp, catchUp } = checkout;
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };

type Member = Awaited<ReturnType<typeof staffWithPasskey>>;
type Action = ((args: ActionFunctionArgs) => Promise<unknown>) & { changes: Record<string, { needs: Permission }> };

type Typed = Record<string, string | File>;

/** The fields with which each form changes something. `me` is the staff member who sends the form. */
const TYPED: Record<string, (me: Member) => Promise<Typed>> = {
  "delivery save": async () => {
    const { rateCents, details } = await rateOf("Zamfara");
    const was = { rateCents, details };
    return {
      edits: JSON.stringify([{ kind: "state", name: "Zamfara", was, now: { ...was, rateCents: rateCents + 1 } }]),
    };
  },
  "delivery-change change": async () => {
    const { rateCents: was } = await rateOf("Taraba");
    return { rates: JSON.stringify([{ kind: "state", name: "Taraba", was, now: was + 1 }]) };
  },
  "delivery-ways save": async () => {
    await db().deleteFrom("deliveryWays").execute(); // there may be twenty
    return typedWay();
  },
  "delivery-ways switch": async () => {
    await db().deleteFrom("deliveryWays").execute();
    return { id: await aWay(db()), to: "on" };
  },
  "delivery-ways handover": async () => {
    await db().deleteFrom("handoverWays").execute();
    return { way: STANDARD, to: "on" };
  },
  "delivery-import import": async () => {
    const text = `kind,name,dollars\nstate,Yobe,${((await rateOf("Yobe")).rateCents + 1) / 100}`;
    return { text, digest: (await previewRates(db(), { text, isAll: false })).digest };
  },
  "money set": async () => ({ rate: "1600" }),
  "money hold": async () => {
    await releaseRate(db(), BY);
    return { until: shopDay(-3) };
  },
  "money-takings count": async () => ({ counted: "45,000", seen: String((await readTill(db()))?.expected ?? 0) }),
  "money release": async () => {
    await holdRate(db(), BY, endOfDay(shopDay(-3)) as Date);
    return {};
  },
  "money-issues resolve": async () => {
    const { reference } = await soldOrder();
    await recordIssue(db(), reference, "dispute");
    return { about: reference };
  },
  "money-issues retry": async () => ({ about: await failedRefund() }),
  "money-issues give-back": async ({ role }) => {
    const reference = may(role, "money") ? await strangeCharge() : "strange"; // each charge has to be refunded
    await recordIssue(db(), reference, "unknown-reference");
    return { about: reference };
  },
  "money-review review": async () => ({ days: "7" }),
  "money-receipts save": async () => {
    const { version } = await receiptSettings(db());
    const seller = { seller: "Irepo", address: "1 Broad Street", tin: randomUUID() };
    return { ...seller, isOn: "on", showsVat: "on", version: String(version) };
  },
  "money-receipts rate": async () => ({ percent: "7.5", fromDay: await dayWithoutRate() }),
  "money-receipts remove": async () => {
    const fromDay = await dayWithoutRate();
    await setVatRate(db(), BY, { fromDay, tenths: 75 });
    return { fromDay };
  },
  "shop save": async () => ({ notice: randomUUID(), was: JSON.stringify(await shopValues(db())) }),
  "orders-courier columns": async () => {
    const was = JSON.stringify(await readCourierColumns(db()));
    return { was, "heading[]": randomUUID(), "cell[]": "number" };
  },
  "shop-name save": async () => ({
    shopName: `Ada ${randomUUID().slice(0, 8)}`,
    was: JSON.stringify(await shopValues(db())),
  }),
  "shop-address save": async () => ({ from: `/old/${randomUUID()}`, to: "/about" }),
  "shop-addresses remove": async () => {
    const from = `/old/${randomUUID()}`;
    await setOldAddress(db(), BY, { from, to: "/about" });
    return { from };
  },
  "shop-addresses-import import": async () => ({ text: `/old/${randomUUID()},/about` }),
  "shop-hero hero": async () => {
    const slides = await storedSlides(db());
    const [first] = slides;
    return { slides: JSON.stringify([{ ...first, text: randomUUID() }]), seen: versionOf(slides) };
  },
  "shop-sections sections": async () => {
    const sections = await storedSections(db());
    const slogan = { id: "slogan", kind: "slogan", title: randomUUID() };
    return { sections: JSON.stringify([slogan]), seen: versionOf(sections) };
  },
  "me add-passkey": async (me) => ({ answer: softwareAuthenticator(OFFICE).create(await passkeyToMake(db(), me)) }),
  "me remove-passkey": async (me) => {
    await send("me", "add-passkey", me);
    return { passkey: (await listPasskeys(db(), me.id))[0]?.id ?? "" };
  },
  "me set-password": async () => {
    const secret = newTotpSecret();
    return { password: PASSWORD, secret, code: totpNow(secret) };
  },
  "me remove-password": async (me) => {
    await send("me", "set-password", me);
    return {};
  },
  "me new-codes": async () => ({}),
  "me end-session": async (me) => ({ session: await otherSession(me) }),
  "me end-others": async (me) => {
    await otherSession(me);
    return {};
  },
  "order-new send": async () => {
    const { user, productId } = await oneBuyer(12);
    return { key: randomUUID(), email: user.email, hold: "day", "pieces[]": `${productId}:M:1` };
  },
  "orders-stall sell": async () => {
    const productId = await makeProduct(db(), { M: 1 });
    const items = { "pieces[]": `${productId}:M:1`, kobo: String(4999 * 1600) };
    return { key: randomUUID(), ...items, means: "cash", bankReference: "", stall: "Yaba market" };
  },
  "me notify": async () => ({ subscription: newBrowser().subscription, "kinds[]": "order" }),
  "me notify-kinds": async (me) => ({ device: await notifiedDevice(me, []), "kinds[]": "order" }),
  "me notify-off": async (me) => ({ device: await notifiedDevice(me, ["order"]) }),
  "order pack": soldOrder,
  "order send": soldOrder,
  "order ready": async () => pickUpOrder(),
  "order deliver": sentOrder,
  "order handover": async () => {
    await switchHandover(db(), BY, STANDARD, true);
    return sentOrder();
  },
  "order photo": async () => ({ ...(await sentOrder()), picture: await aPhoto() }),
  "order remove-photo": async () => {
    const { number, reference } = await sentOrder();
    const given = Buffer.from(await (await aPhoto()).arrayBuffer());
    await addParcelPicture(db(), BY, reference, given);
    const added = db().selectFrom("parcelPictures").select("id").orderBy("addedAt", "desc");
    return { number, picture: (await added.executeTakeFirstOrThrow()).id };
  },
  "order return": sentOrder,
  "order cancel": async () => ({ ...(await soldOrder()), cause: "Out of stock" }),
  "order give": async () => ({ ...(await soldOrder()), naira: "1,500", key: randomUUID(), cause: "Goodwill" }),
  "order refund": async () => {
    const { productId, ...order } = await soldOrder();
    const sum = { kobo: "7998400", key: randomUUID(), cause: "Too small" };
    return { ...order, ...sum, "pieces[]": `${productId}:M:1` };
  },
  "order paid": async () => {
    const { number, kobo } = await waitingOrder();
    return { number, means: "cash", naira: String(kobo / 100), key: randomUUID() };
  },
  "order given": async () => {
    const order = await waitingOrder();
    const reference = await paidByHand(db(), order);
    await refundWished(db(), reference);
    await catchUp(reference);
    return { number: order.number, kobo: String(order.kobo) };
  },
  "order retry": async () => {
    const { reference, ...order } = await soldOrder();
    await failRefund(reference);
    return order;
  },
  "order take-back": async () => {
    const order = await soldOrder();
    await changeOrder(db(), BY, "orders pack", order.reference)((trx) => markPacked(trx, order.reference));
    return { ...order, act: (await takeableActs(db(), [order.number]))[0]?.act ?? "" };
  },
  "orders-parcels-work take-back": async (me) => {
    const { number } = await soldOrder();
    const sheet = { text: `${number}\tGIG\tGIG-1` };
    const by = actorOf(me);
    return { work: await sheetWorks.begin(me.id, (onProgress) => markManySent(db(), by, sheet, onProgress)) };
  },
  "orders-steps pack": async () => ({ numbers: (await soldOrder()).number }),
  "orders-steps ready": async () => ({ numbers: (await pickUpOrder()).number }),
  "orders-steps deliver": async () => ({ numbers: (await sentOrder()).number }),
  "orders-steps-work take-back": async (me) => {
    const orders = { step: "ready", numbers: [(await pickUpOrder()).number] } as const;
    const by = actorOf(me);
    return { work: await stepWorks.ready.begin(me.id, (onProgress) => takeSteps(db(), by, orders, onProgress)) };
  },
  "order resolve": async () => {
    const { reference, ...order } = await soldOrder();
    await recordIssue(db(), reference, "dispute");
    return { ...order, about: reference };
  },
  "order address": async () => ({ ...(await soldOrder()), ...lagosForm, address: "7 Allen Avenue" }),
  "order size": async () => {
    const productId = await makeProduct(db(), { M: 8, L: 8 });
    const payment = await checkout.open(await makeShopper(db(), { productId, size: "M" }));
    return { productId, ...(await paid(payment)), change: `${productId}:M:L`, changes: "0" };
  },
  "order resend": async () => ({ ...(await soldOrder()), kind: "order-confirmation", key: randomUUID() }),
  "order note": async () => ({ ...(await soldOrder()), id: randomUUID(), text: "Asks for Saturday" }),
  "order tag": async () => ({ ...(await soldOrder()), tag: "gift" }),
  "order untag": async () => {
    const { reference, ...order } = await soldOrder();
    await changeOrderTags(db(), BY, reference, { add: { folded: "gift", word: "gift" } });
    return { ...order, tag: "gift" };
  },
  "orders-parcels mark": async () => ({ rows: `${(await soldOrder()).number}\tGIG\tGIG-1` }),
  "product save": async () => productForm({ ...(await aProduct()), title: "Another name" }),
  "product copy": async () => ({ ...(await aProduct()), key: randomUUID() }),
  "product delete": async () => aProduct(),
  "product-new add": async () => productForm({ key: randomUUID() }),
  "return approve": async () => ({ ...(await askedReturn()), wish: "money", message: "Send it to 1 Broad Street" }),
  "return decline": async () => ({ ...(await askedReturn()), message: "It was worn" }),
  "return receive": async () => approvedReturn({ waive: false }),
  "return refund": async () => {
    const { number, productId } = await approvedReturn({ waive: true });
    return { number, "pieces[]": `${productId}:M:1`, kobo: "7998400" };
  },
  "return exchange": async () => approvedReturn({ waive: true, newSize: "L" }),
  "customer unsubscribe": async () => {
    const { id, email } = await makeShopper(db());
    await subscribe(db(), "Ada", email);
    return { id };
  },
  "customer end-session": async () => {
    const { id } = await makeShopper(db());
    const session = { tokenHash: Buffer.from(randomUUID()), userId: id, device: "A phone" };
    const { id: made } = await db().insertInto("sessions").values(session).returning("id").executeTakeFirstOrThrow();
    return { id, session: made };
  },
  "customer note": async () => ({ id: (await makeShopper(db())).id, text: "Prefers calls after six" }),
  "customer tag": async () => ({ id: (await makeShopper(db())).id, tag: "VIP" }),
  "customer untag": async () => {
    const { id } = await makeShopper(db());
    await changeCustomerTags(db(), BY, id, { add: { folded: "vip", word: "VIP" } });
    return { id, tag: "vip" };
  },
  "customers forget": async () => {
    const phone = await soldByPhone();
    return { phone };
  },
  "customer forget": async () => {
    const { id, email } = await makeShopper(db());
    return { id, email };
  },
  "newsletter remove": async () => {
    const email = `${randomUUID()}@example.com`;
    await subscribe(db(), "Ada", email);
    return { email };
  },
  "mails resend-all": async () => {
    await refusedMail();
    return {};
  },
  "mails resend": async () => ({ id: await refusedMail() }),
  "products-stock save": async () => {
    const id = await makeProduct(db(), { M: 3 });
    const changes = JSON.stringify([{ id, size: "M", supplied: 3, onHand: 3, typed: 8, key: randomUUID() }]);
    return { changes, reason: "delivery" };
  },
  "products-prices save": async () => ({ list: (await aProduct()).id, percent: "20", agreed: "on" }),
  "products-prices-change save": async () => {
    const { id } = await aProduct();
    const { digest } = await planPrices(db(), { ids: [id], change: { percent: 1000, kobo: 0 }, step: 0 });
    return { list: id, by: "10%", digest };
  },
  "products-prices end": async () => ({ plan: await runningSale((await aProduct()).id) }),
  "product end": async () => {
    const { id } = await aProduct();
    return { id, plan: await runningSale(id), product: id };
  },
  "product queue-on": async () => ({ id: (await aProduct()).id, pace: "30" }),
  "product queue-off": async () => {
    const { id } = await aProduct();
    await switchQueueOn(db(), { name: "owner", door: "command" }, id, {});
    return { id };
  },
  "offers-new save": async () => ({ name: randomUUID(), starts: "single", percent: "10", agreed: "on" }),
  "offer-edit save": async () => {
    const id = await offerByCode();
    return { id, version: "1", name: randomUUID(), starts: "single", percent: "10", agreed: "on" };
  },
  "offer pause": async () => ({ id: await offerByCode() }),
  "offer resume": async () => {
    const id = await offerByCode();
    await changeOffer(db(), BY, Number(id), "pause");
    return { id };
  },
  "offer end": async () => ({ id: await offerByCode() }),
  "offer codes": async () => ({ id: await offerByCode(), count: "3" }),
  "collections-new add": async () => ({ name: "Owambe", words: "", address: randomUUID() }),
  "collection save": async () => ({
    ...{ id: await aCollection(), version: "1", name: "Owambe", words: "For every party.", place: "1", shown: "on" },
  }),
  "collection add": async () => ({ id: await aCollection(), "products[]": (await aProduct()).id }),
  "collection remove": async () => {
    const { id: product } = await aProduct();
    return { id: await aCollection(product), product };
  },
  "collection move": async () => {
    const [{ id: product }, { id: before }] = [await aProduct(), await aProduct()];
    return { id: await aCollection(before, product), product, before };
  },
  "collection delete": async () => ({ id: await aCollection() }),
  "kinds add": async () => ({ name: randomUUID(), address: "" }),
  "kinds rename": async () => {
    const { id, name } = await aKind();
    return { kind: id, name: randomUUID(), was: name };
  },
  "kinds move": async () => ({ kind: (await aKind()).id, before: "jerseys" }),
  "kinds remove": async () => ({ kind: (await aKind()).id }),
  "size-guides-new add": async () => sizeGuideForm(),
  "size-guide save": async () => ({ ...sizeGuideForm(), id: await aSizeGuide(), version: "1" }),
  "size-guide delete": async () => ({ id: await aSizeGuide() }),
  "words-page save": async () => ({ id: "about", seen: await newWords(), text: `Text ${randomUUID()}`, press: "now" }),
  "words-page put-back": async () => ({ id: "about", seen: await newWords(), version: "0" }),
  "words-page withdraw": async () => {
    await newWords(new Date(Date.now() + 60_000));
    return { id: "about" };
  },
  "products-import-preview import": async ({ id }) => ({
    work: await beginPreview(id, `id,title,price\n${crypto.randomUUID()},Jersey,40`, false),
  }),
  "staff invite": async () => ({ email: `${crypto.randomUUID()}@example.com`, role: "reader", name: "Ngozi" }),
  "staff role": async () => ({ email: (await invite(db(), "reader")).email, role: "orders", was: "reader" }),
  "staff remove": async () => ({ email: (await invite(db(), "reader")).email }),
  "staff make-role": async () => ({ name: `Stall ${randomUUID().slice(0, 8)}`, "permissions[]": "packing" }),
  "staff change-role": async () => {
    const name = await ownRole(["packing"]);
    return { name, was: "orders,packing", "permissions[]": "shop" };
  },
  "staff remove-role": async () => ({ name: await ownRole(["packing"]) }),
  "staff end-session": async (me) => ({ email: me.email, session: await otherSession(me) }),
};

/** A day to come from which no rate of VAT counts yet. */
async function dayWithoutRate(): Promise<string> {
  return shopDay(-1 - (await vatRates(db())).length);
}

/** Makes an offer, in place of all others: only twelve can run at once. */
async function offerByCode(): Promise<string> {
  for (const { id, state } of await listOffers(db())) if (state !== "ended") await changeOffer(db(), BY, id, "end");
  const terms = offerTerms.parse({ gift: { kind: "percent", percent: 10 } });
  return String((await addOffer(db(), BY, { name: "Radio week", terms, byCode: true })).id);
}

async function runningSale(id: string): Promise<string> {
  return (await planSale(db(), BY, [{ id, percent: 20 }], { finalSale: false }, { saves: true })).id;
}

/** A sale at a stall to a customer who has given a phone number alone. Returns the number. */
async function soldByPhone(): Promise<string> {
  const productId = await makeProduct(db(), { M: 1 });
  const phone = `080${String(Date.now()).slice(-8)}`;
  await sellAtStall(db(), BY, {
    ...{ units: [{ productId, size: "M", quantity: 1 }], stall: "Yaba market", means: "cash", kobo: 7_998_400 },
    ...{ email: "", phone, name: "Ada Obi" },
  });
  await endLinkChecks(db());
  return phone;
}

/** Makes a role as an owner does. Returns its name. */
async function ownRole(permissions: Permission[]): Promise<string> {
  const name = `Stall ${randomUUID().slice(0, 8)}`;
  await saveRole(db(), BY, { name, permissions });
  return name;
}

const aProduct = async () => ({ id: await makeProduct(db(), { M: 0 }) });

/** A collection with these products, in this order. Returns its id. */
async function aCollection(...products: string[]): Promise<string> {
  const id = `owambe-${randomUUID()}`;
  await addCollection(db(), BY, { id, name: "Owambe", words: "" });
  if (products.length > 0) await addProducts(db(), BY, id, products);
  return id;
}

/** A kind that no product has. */
async function aKind() {
  const kind = { id: `caps-${randomUUID()}`, name: randomUUID() };
  await addKind(db(), BY, kind);
  return kind;
}

/** The form of a size guide that is for nothing yet, with a name that no other has. */
function sizeGuideForm(): Record<string, string> {
  return { name: `Tees ${randomUUID()}`, "measure.0": "Chest", "S.0": "92", "M.0": "96.5" };
}

/** Makes a size guide. Returns its id. */
async function aSizeGuide(): Promise<string> {
  const added = await addSizeGuide(db(), BY, sizeGuide({ name: `Tees ${randomUUID()}` }));
  return added.ok ? added.id : "";
}

/** Publishes a new text of the About page. Returns the number of its version. */
async function newWords(at?: Date): Promise<string> {
  const [newest] = await textVersions(db(), "about");
  const blocks = [{ kind: "paragraph" as const, text: `Text ${randomUUID()}` }];
  const done = await publishText(db(), BY, "about", { blocks, at, seen: newest?.version ?? 0 });
  return done.ok ? String(done.version) : "";
}

function productForm(fields: Record<string, string>): Record<string, string> {
  return { title: "Jersey", price: "49.99", images: "[]", "sizes[]": "M", pieces: "{}", state: "draft", ...fields };
}

async function paid({ reference, orderId }: { reference: string; orderId: string }) {
  provider.pay(reference);
  await settlePayment(reference);
  const { number } = await db()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  return { reference, number };
}

async function soldOrder() {
  const { productId, payment } = await oneBuyer();
  return { productId, ...(await paid(payment)) };
}

/** An order that staff have put together, and that is not paid. */
async function waitingOrder() {
  return staffOrder(db(), await makeShopper(db()), await makeProduct(db(), { M: 8 }));
}

async function failRefund(reference: string) {
  await refundWished(db(), reference);
  await catchUp(reference);
  provider.finishRefunds("failed", reference);
  await catchUp(reference);
}

async function failedRefund() {
  const { reference } = await soldOrder();
  await failRefund(reference);
  return reference;
}

/** Makes a charge at the provider that the shop does not know. Returns its reference. */
async function strangeCharge() {
  const reference = `strange-${randomUUID()}`;
  const customer = { firstName: "Ada", lastName: "Obi", phone: "" };
  const pages = { referrer: OFFICE, callbackUrl: OFFICE, cancelUrl: OFFICE, customFields: [] };
  await paystack.open({ email: "ada@example.com", kobo: 100_000, reference, customer, ...pages });
  provider.pay(reference);
  return reference;
}

const rateOf = (name: string) =>
  db().selectFrom("shippingRates").selectAll().where("name", "=", name).executeTakeFirstOrThrow();

async function aPhoto(): Promise<File> {
  const picture = sharp({ create: { width: 32, height: 24, channels: 3, background: "#a33" } });
  return new File([new Uint8Array(await picture.jpeg().toBuffer())], "parcel.jpg", { type: "image/jpeg" });
}

async function sentOrder() {
  const order = await soldOrder();
  await markSent(db(), order.reference);
  return order;
}

async function askedReturn(newSize: string | null = null) {
  const sale = await delivered(checkout, { quantity: 2 });
  return { number: await asked(db(), sale, { newSize }), productId: sale.productId };
}

async function approvedReturn({ waive, newSize }: { waive: boolean; newSize?: string }) {
  const given = await askedReturn(newSize);
  await approveReturn(db(), given.number, { by: BY, waive });
  return given;
}

/** The id of a mail that was not delivered. */
async function refusedMail(): Promise<string> {
  const mail = { idempotencyKey: randomUUID(), recipient: "ada@example.com", kind: "order-sent", data: "{}" };
  const row = { ...mail, messageId: randomUUID(), state: "failed" as const };
  return (await db().insertInto("outbox").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

const pickUpOrder = async () => paid(await openPickUp());

/** Adds a session of the same member on another device. Returns the session's id. */
async function otherSession({ id, cookies }: Member): Promise<string> {
  await db()
    .insertInto("staffSessions")
    .values({ tokenHash: Buffer.from(crypto.randomUUID()), staffId: id, device: "A phone" })
    .execute();
  return (await listSessions(db(), officeRequest(cookies), id)).find(({ isThis }) => !isThis)?.id ?? "";
}

/** Switches notifications of these kinds on in the member's browser. Returns the device's id. */
async function notifiedDevice(me: Member, kinds: string[]): Promise<string> {
  await send("me", "notify", me);
  const change = db().updateTable("notificationDevices").set({ kinds }).where("staffId", "=", me.id);
  return (await change.returning("id").executeTakeFirstOrThrow()).id;
}

const names = readdirSync("office/routes").flatMap((file) => /^(.+)\.tsx$/.exec(file)?.[1] ?? []);
const actions = await Promise.all(
  names.map(async (name): Promise<[string, Action | undefined]> => {
    const route = (await import(`../office/routes/${name}.tsx`)) as { action?: Action };
    return [name, route.action];
  }),
);
const known = new Map(
  actions.flatMap(([name, action]) => (action && "changes" in action ? [[name, action] as const] : [])),
);
const all = [...known].flatMap(([route, { changes }]) =>
  Object.entries(changes).map(([intent, { needs }]) => ({ route, intent, needs })),
);

function argsOf(request: Request, params = {}): ActionFunctionArgs {
  return { request, context: new RouterContextProvider(), params, url: new URL(request.url), pattern: "" };
}

/** The exports of customers' data: each adds an audit row with who exported and how many rows. */
const EXPORTS: [route: string, action: string, params: () => Promise<Record<string, string>>][] = [
  ["orders-export", "orders export", async () => ({})],
  ["returns-export", "returns export", async () => ({})],
  ["customers-export", "customers export", async () => ({})],
  ["customer-export", "customers export", async () => ({ id: (await makeShopper(db())).id })],
  ["offers-export", "offers export", async () => ({})],
  ["newsletter-export", "newsletter export", async () => ({})],
  ["money-takings-csv", "takings export", async () => ({})],
  ["money-refunds-csv", "refunds export", async () => ({})],
];
test.each(EXPORTS)("%s leaves a row", async (route, action, params) => {
  await soldOrder();
  const me = await staffWithPasskey(db(), "owner");
  const { loader } = (await import(`../office/routes/${route}.ts`)) as { loader(args: LoaderFunctionArgs): unknown };
  const { headers } = officeRequest(me.cookies);
  const args = argsOf(new Request(`${OFFICE}/x?q=ada@example.com&view=all`, { headers }), await params());
  await requireStaff(args, async () => new Response());
  const { count: before } = await written();
  const text = await ((await loader(args)) as Response).text();
  const [row, ...others] = await rows(before);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ actor: me.email, door: "office", action });
  if (route.endsWith("s-export")) expect(row?.after).toMatchObject({ rows: text.trim().split("\n").length - 1 });
  expect(JSON.stringify(row?.after)).not.toContain("ada@");
});

test("a download that is broken off is written down, too", async () => {
  const me = await staffWithPasskey(db(), "owner");
  const staff = { ...me, name: "" };
  const endless = async () => ({ rows: [{ name: "Ada" }], older: "more" });
  const reader = csvResponse({ name: "orders", fields: ["name"], staff }, endless, (row) => row).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect((await rows(0)).at(-1)).toMatchObject({ actor: me.email, action: "orders export" });
});

test("no product can be called as a page of the office", () => {
  const taken = officeRoutes.flatMap(pathsOf).flatMap((path) => /^products\/([a-z]+)(?:\/.*)?$/.exec(path)?.[1] ?? []);
  expect(new Set(taken)).toEqual(new Set(TAKEN_IDS));
});

function pathsOf({ path, children = [] }: RouteConfigEntry): string[] {
  return [...(path ? [path] : []), ...children.flatMap(pathsOf)];
}

/** Fields as a browser sends them: with a file, as multipart/form-data. */
function bodyOf(fields: Typed): FormData | URLSearchParams {
  const form = new FormData();
  const texts = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value);
    if (typeof value === "string") texts.append(name, value);
  }
  return Object.values(fields).some((value) => value instanceof File) ? form : texts;
}

/** Sends a form as its page does. Returns the status. */
async function send(route: string, intent: string, me: Member, fields?: Typed): Promise<number> {
  const typed = fields ?? (await TYPED[`${route} ${intent}`]?.(me)) ?? {};
  const { headers } = officeRequest(me.cookies);
  const request = new Request(OFFICE, { method: "POST", headers, body: bodyOf({ intent, ...typed }) });
  const args = argsOf(request, typed);
  await requireStaff(args, async () => new Response());
  const answer = await known
    .get(route)?.(args)
    .catch((thrown: unknown) => thrown);
  if (answer instanceof Response) return answer.status;
  return (answer as { init?: { status?: number } }).init?.status ?? 0;
}
/** What a press can move: mails to shoppers, refunds and stock. */
const movable = async () =>
  (
    await sql`select
      (select jsonb_object_agg(state, count) from (select state, count(*) from outbox where kind <> 'staff-invitation' group by state) as mails) as mails,
      (select jsonb_object_agg(state, count) from (select state, count(*) from refunds group by state) as money) as money,
      (select jsonb_build_array(sum(on_hand), sum(reserved)) from product_sizes) as stock`.execute(db())
  ).rows[0];
/** The rows of the audit log after the first `skipped` ones. */
const rows = (skipped: number) => db().selectFrom("auditLog").selectAll().orderBy("id").offset(skipped).execute();
/** The number of the audit log's rows, and a hash of all that they say: they are too many to be read for each test. */
const written = async () => {
  const all = await sql<{ count: number; hash: string }>`
    select count(*)::integer as count, md5(string_agg(audit_log::text, ' ' order by id)) as hash from audit_log`.execute(
    db(),
  );
  return all.rows[0] as { count: number; hash: string };
};

describe.each(all)("$route $intent", ({ route, intent, needs }) => {
  test.each(ROLES.filter((role) => may(builtIn(role), needs)))(
    "%s may, and it is written down who did it",
    async (role) => {
      expect(TYPED, "what is typed so that it changes something stands in this test").toHaveProperty([
        `${route} ${intent}`,
      ]);
      const me = await staffWithPasskey(db(), role);
      const typed = await TYPED[`${route} ${intent}`]?.(me);
      const { count: before } = await written();
      const moved = await movable();
      expect([200, 302]).toContain(await send(route, intent, me, typed));
      const added = () => rows(before);
      await expect.poll(added).not.toEqual([]); // long work may continue after its form is answered
      for (const row of await added()) expect(row).toMatchObject({ actor: me.email, door: "office" });
      const name = `${route} ${intent}`;
      const moves = UNSEEN.includes(name) || !isDeepStrictEqual(await movable(), moved);
      expect(moves ? name : "", "a press that moves or mails something stands in tests/support/office-presses.ts").toBe(
        Object.hasOwn(PRESSES, name) ? name : "",
      );
    },
  );

  test.each(ROLES.filter((role) => !may(builtIn(role), needs)))("%s may not, and nothing happens", async (role) => {
    const me = await staffWithPasskey(db(), role);
    const typed = await TYPED[`${route} ${intent}`]?.(me);
    const before = await written();
    expect(await send(route, intent, me, typed)).toBe(403);
    expect(await written()).toEqual(before);
  });
});

test.each([
  ["me", "add-passkey"],
  ["me", "remove-passkey"],
  ["me", "set-password"],
  ["me", "remove-password"],
  ["me", "new-codes"],
  ["staff", "invite"],
  ["staff", "role"],
  ["staff", "remove"],
  ["staff", "make-role"],
  ["staff", "change-role"],
  ["staff", "remove-role"],
])("%s %s wants a sign-in of the last 15 minutes", async (route, intent) => {
  const me = await staffWithPasskey(db(), "owner");
  const typed = await TYPED[`${route} ${intent}`]?.(me);
  const ago = (minutes: number) =>
    sql`update staff_sessions set created_at = now() - ${minutes} * interval '1 minute' where staff_id = ${me.id}`;
  await ago(15).execute(db());
  const before = await written();
  expect(await send(route, intent, me, typed)).toBe(422);
  expect(await written()).toEqual(before);
  await ago(14).execute(db());
  expect(await send(route, intent, me, typed)).toBe(200);
});

test("of two owners who set one role the later one is refused, and may choose again", async () => {
  const [ada, bola] = [await staffWithPasskey(db(), "owner"), await staffWithPasskey(db(), "owner")];
  const { email } = await invite(db(), "reader");
  const role = async () =>
    (await db().selectFrom("staff").select("role").where("email", "=", email).execute())[0]?.role;
  expect(await send("staff", "role", ada, { email, role: "orders", was: "reader" })).toBe(200);
  expect(await send("staff", "role", bola, { email, role: "catalogue", was: "reader" })).toBe(422);
  expect(await role()).toBe("orders");
  expect(await send("staff", "role", bola, { email, role: "catalogue", was: "orders" })).toBe(200);
  expect(await role()).toBe("catalogue");
});

test("a device is asked for a passkey by nobody who signed in a while ago", async () => {
  const me = await staffWithPasskey(db());
  const asked = async () => {
    const { headers } = officeRequest(me.cookies);
    const body = new URLSearchParams({ for: "me" });
    return (await passkeyOptions(argsOf(new Request(OFFICE, { method: "POST", headers, body })))).json();
  };
  expect(await asked()).toHaveProperty("make");
  await sql`update staff_sessions set created_at = now() - interval '15 minutes' where staff_id = ${me.id}`.execute(
    db(),
  );
  expect(await asked()).toEqual({ problem: SIGN_IN_ANEW });
});

test.each(Object.keys(TYPED))("%s is something that can be done", (name) => {
  expect(all.map(({ route, intent }) => `${route} ${intent}`)).toContain(name);
});

test("S60 what a role may not do leaves a line in the log", async () => {
  const warned = vi.spyOn(log, "warn");
  const reader = await staffWithPasskey(db(), "reader");
  expect(await send("money", "set", reader)).toBe(403);
  const line = { security: "office-denied", needs: "money", account: expect.any(String) };
  expect(warned.mock.calls.map(([details]) => details)).toContainEqual(expect.objectContaining(line));
});

test("a product's form refuses the one size beside those from S to XXL", async () => {
  const me = await staffWithPasskey(db(), "owner");
  const products = () => db().selectFrom("productSizes").selectAll().orderBy("productId").orderBy("size").execute();
  const typed = { id: await makeProduct(db(), { M: 1 }), key: randomUUID() };
  const before = await products();
  for (const [route, intent] of [
    ["product-new", "add"],
    ["product", "save"],
  ] as const) {
    const body = new URLSearchParams(productForm({ ...typed, intent }));
    body.append("sizes[]", "ONE");
    const args = argsOf(
      new Request(OFFICE, { method: "POST", headers: officeRequest(me.cookies).headers, body }),
      typed,
    );
    await requireStaff(args, async () => new Response());
    expect(await known.get(route)?.(args)).toMatchObject({
      data: { problems: { sizes: "One size, or those from S to XXL" } },
      init: { status: 422 },
    });
  }
  expect(await products()).toEqual(before);
});

test("an intent that no screen has is refused", async () => {
  expect(await send("staff", "toString", await staffWithPasskey(db(), "owner"))).toBe(400);
});

test("a stranger is sent to the sign-in, and back to what they came for", async () => {
  const sent = requireStaff(argsOf(new Request(`${OFFICE}/staff?x=1`)), async () => new Response());
  const answer = await Promise.resolve(sent).catch((thrown: unknown) => thrown);
  expect((answer as Response).headers.get("location")).toBe("/sign-in?next=%2Fstaff%3Fx%3D1");
});
