// A model of what the shop ought to do, in plain data: no database, no locks, one thing after the other. The real shop
// is compared with it.

const HELD_FOR = 15;
const HELD_FOR_PAYER = 24 * 60;
const TRANSFER_AT_MOST = 120;
const DAY = 24 * 60;
const MOST_LAPSED = 3;
const MOST_LAPSED_LINKS = 3;

export type Said = "unknown" | "abandoned" | "failed" | "pending" | "success" | "reversed";
export type Payment = {
  reference: string;
  order: Order;
  /** Whether it is somebody else's, who opened it by the shopper's link. */
  isPayers: boolean;
  /** Whether staff have taken the money themselves. */
  isByHand: boolean;
  said: Said;
  /** When the provider last reported on the payment, in minutes, and the position of that among all events. */
  paid?: { at: number; order: number };
  settled?: "paid" | "refused";
  refunds: Refund[];
  returns: Return[];
};
/** Pieces of a product that a shopper returns, for money or for others of the same product. */
export type Return = {
  number: string;
  product: number;
  quantity: number;
  wish: "money" | "exchange";
  state: "asked" | "approved" | "declined" | "withdrawn" | "received" | "done";
};
export type Order = {
  id: string;
  /** `STRANGER`: staff put it together, and it is paid by its link. */
  user: number;
  lines: Map<number, number>;
  version: number;
  address: string;
  kobo: number;
  /**
   * What partial refunds are computed from: the prices at that time, and the part of the charge that was for shipping.
   */
  prices: Map<number, number>;
  shippingKobo: number;
  /** The offer that made its prices, on these products. */
  use?: { offer: Offer; products: number[]; held: boolean };
  state: "open" | "waiting" | "released" | "sold" | "refunding" | "refunded";
  /** Whether the shopper has made a link by which somebody else may pay. */
  byPayerLink: boolean;
  holdsStock: boolean;
  createdAt: number;
  expiresAt: number;
  /** The position of the order among all events. */
  order: number;
  /** When it was released, in minutes, and the position of that among all events. */
  released?: { at: number; order: number };
  payments: Payment[];
};
export type Product = { id: string; priceCents: number; supplied: number; sold: number };
/**
 * A percentage off everything, for so many orders in all; with a code, for carts that have it. `used` is counted only
 * where that is limited.
 */
export type Offer = { id: number; percent: number; most?: number; used: number; code?: string };
/** `merged`: the pieces of each guest cart that are already in the account's cart, by merge id. */
export type User = {
  cart: Map<number, number>;
  version: number;
  code?: string;
  merged: Map<string, Map<number, number>>;
  lastSale: number;
};

export type Model = {
  /** The time, in minutes. */
  now: number;
  order: number;
  /** The most pieces of an order that reserves its stock. */
  holdAtMost: number;
  /** Hundredths of a naira for one dollar. */
  rate: number;
  shippingCents: number;
  products: Product[];
  users: User[];
  orders: Order[];
  /** Only the last one runs, until it has ended. */
  offers: Offer[];
  hasOffer: boolean;
};

/** A customer of staff, at a stall or in a chat, who is none of the users. */
export const STRANGER = -1;

export const isLive = ({ state }: Order) => state === "open" || state === "waiting";
export const payments = (model: Model) => model.orders.flatMap((order) => order.payments);
export const liveOf = (model: Model, user: number) => model.orders.find((one) => one.user === user && isLive(one));

export function reserved(model: Model, product: number, user?: number): number {
  const ofOrders = model.orders
    .filter((one) => isLive(one) && one.holdsStock && (user === undefined || one.user === user))
    .reduce((sum, { lines }) => sum + (lines.get(product) ?? 0), 0);
  return ofOrders + (user === undefined ? heldByExchanges(model, product) : 0);
}

function heldByExchanges(model: Model, product: number): number {
  const all = payments(model).flatMap(({ returns }) => returns);
  return quantityOf(all.filter((one) => one.product === product && isHolding(one)));
}

export function available(model: Model, product: number): number {
  const { supplied, sold } = at(model.products, product);
  return supplied - sold - reserved(model, product);
}

export function at<T>(list: T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no ${index}`);
  return found;
}

// The cart

export function add(model: Model, userIndex: number, product: number, quantity: number): boolean {
  const user = at(model.users, userIndex);
  const most = available(model, product) + reserved(model, product, userIndex);
  if (most === 0) return false;
  user.version++;
  user.cart.set(product, Math.min((user.cart.get(product) ?? 0) + quantity, most));
  return true;
}

export function setQuantity(model: Model, userIndex: number, product: number, quantity: number): boolean {
  const user = at(model.users, userIndex);
  const most = available(model, product) + reserved(model, product, userIndex);
  if (most === 0 || quantity > most) return false;
  user.version++;
  user.cart.set(product, quantity);
  return true;
}

export function remove(model: Model, userIndex: number, product: number): void {
  const user = at(model.users, userIndex);
  user.version++;
  user.cart.delete(product);
}

export function merge(model: Model, userIndex: number, mergeId: string, guest: Map<number, number>): void {
  const user = at(model.users, userIndex);
  user.version++;
  const merged = user.merged.get(mergeId) ?? new Map<number, number>();
  user.merged.set(mergeId, merged);
  for (const [product, quantity] of guest) {
    const more = quantity - (merged.get(product) ?? 0);
    const stock = available(model, product);
    if (more <= 0 || stock <= 0) continue;
    user.cart.set(product, Math.min((user.cart.get(product) ?? 0) + more, stock));
    merged.set(product, quantity);
  }
}

export function restock(model: Model, product: number, onHand: number): boolean {
  if (onHand < reserved(model, product)) return false;
  const row = at(model.products, product);
  row.supplied = row.sold + onHand;
  return true;
}

// Paying

const LEAST_ORDER = 50; // cents

/**
 * The price of a piece of each product, in cents, under an offer. What it takes off is rounded for the shopper, leaves
 * a tenth of each price, and leaves an order `LEAST_ORDER`: where that is passed, the dearest pieces save less.
 */
function pricesUnder(
  offer: Offer | undefined,
  lines: Map<number, number>,
  products: Product[],
  isAbout: (product: number) => boolean = () => true,
): Map<number, number> {
  const rows = [...lines].map(([product, quantity]) => {
    const { id, priceCents: full } = at(products, product);
    const off =
      offer && isAbout(product) ? Math.min(Math.ceil((full * offer.percent) / 100), full - Math.ceil(full / 10)) : 0;
    return { product, id, quantity, full, price: full - off };
  });
  let total = rows.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  for (const row of rows.sort((a, b) => b.full - a.full || (a.id < b.id ? -1 : 1))) {
    const more = Math.min(row.full - row.price, Math.ceil(Math.max(0, LEAST_ORDER - total) / row.quantity));
    row.price += more;
    total += more * row.quantity;
  }
  return new Map(rows.map(({ product, price }) => [product, price]));
}

export function typeCode(model: Model, userIndex: number, code: string | undefined): void {
  const user = at(model.users, userIndex);
  user.version++;
  user.code = code;
}

/** The offer that runs, unless all its uses are taken by others or its code is missing. */
function offerFor({ offers, hasOffer, orders, users }: Model, user: number): Offer | undefined {
  const offer = hasOffer ? offers.at(-1) : undefined;
  if (offer?.code && (user === STRANGER || at(users, user).code !== offer.code)) return;
  const isOwn = (one: Order) => user !== STRANGER && one.user === user && isLive(one);
  const own = orders.filter((one) => isOwn(one) && one.use?.held && one.use.offer === offer);
  return offer && offer.used - (offer.most ? own.length : 0) < (offer.most ?? Number.POSITIVE_INFINITY)
    ? offer
    : undefined;
}

/** What a cart costs a user now, in kobo. */
export function sumOfCart(model: Model, user: number): number {
  const { cart } = at(model.users, user);
  return koboOf(model, cart, pricesUnder(offerFor(model, user), cart, model.products));
}

/** The sum in kobo: the smallest whole naira that covers it, computed exactly. */
function koboOf({ rate, shippingCents }: Model, lines: Map<number, number>, prices: Map<number, number>): number {
  const cents = [...lines].reduce(
    (sum, [product, quantity]) => sum + BigInt(prices.get(product) ?? 0) * BigInt(quantity),
    BigInt(shippingCents),
  );
  const exact = cents * BigInt(rate); // ten-thousandths of a naira
  const naira = exact / 10_000n + (exact % 10_000n === 0n ? 0n : 1n);
  return Number(naira * 100n);
}

export type Started =
  | { answer: "opened"; order: Order; fresh: boolean }
  | {
      answer:
        | "empty-cart"
        | "out-of-stock"
        | "stale-total"
        | "holds-nothing"
        | "already-paid"
        | "payer-awaited"
        | "no-link";
    };

export type Agreed = { agreedKobo?: number; agreesToNoHold?: boolean };

/**
 * Starts an order: to be paid by the shopper or, with `byPayerLink`, by somebody else. `agreedKobo` is the sum that the
 * shopper saw. The caller fills in the id and the payments of a new order from the shop's answer.
 */
export function start(
  model: Model,
  userIndex: number,
  address: string,
  { agreedKobo, agreesToNoHold }: Agreed,
  byPayerLink = false,
): Started {
  const user = at(model.users, userIndex);
  let asked: Order | undefined;
  for (;;) {
    if (user.cart.size === 0) return { answer: "empty-cart" };
    const live = liveOf(model, userIndex);
    const same =
      live &&
      live.expiresAt > model.now &&
      (live.byPayerLink || !byPayerLink) &&
      live.version === user.version &&
      live.address === address &&
      (agreedKobo === undefined || agreedKobo === live.kobo);
    const mayBePaid = live?.byPayerLink && !byPayerLink && live !== asked; // by somebody else
    if (live && same && !mayBePaid) return { answer: "opened", order: live, fresh: false };
    if (live && live !== asked) {
      for (const payment of live.payments) {
        const settled = settle(model, payment);
        if (settled === "sold") return { answer: "already-paid" };
        if (settled === "pending" && payment.isPayers) return { answer: "payer-awaited" };
      }
      asked = live;
      continue;
    }
    const lines = new Map(user.cart);
    const holdsStock = mayHoldStock(model, userIndex, lines);
    for (const [product, quantity] of lines)
      if (quantity > available(model, product) + reserved(model, product, userIndex)) return { answer: "out-of-stock" };
    const offer = offerFor(model, userIndex);
    const prices = pricesUnder(offer, lines, model.products);
    const kobo = koboOf(model, lines, prices);
    if (byPayerLink && (!holdsStock || lapsedLinksOf(model, userIndex) >= MOST_LAPSED_LINKS))
      return { answer: "no-link" };
    if (agreedKobo !== undefined && agreedKobo !== kobo) return { answer: "stale-total" };
    if (!holdsStock && !agreesToNoHold) return { answer: "holds-nothing" };
    if (live) release(model, live);
    const heldFor = byPayerLink ? HELD_FOR_PAYER : HELD_FOR;
    const order = addOrder(model, { user: userIndex, lines, prices, kobo, holdsStock, heldFor });
    Object.assign(order, { version: user.version, address, byPayerLink });
    noteUse(model, order, offer, lapsedOf(model, userIndex) < MOST_LAPSED);
    return { answer: "opened", order, fresh: true };
  }
}

type NewOrder = Pick<Order, "user" | "lines" | "prices" | "kobo" | "holdsStock"> & { heldFor: number };

function addOrder(model: Model, { heldFor, ...order }: NewOrder): Order {
  const added: Order = {
    ...order,
    id: "",
    version: 0,
    address: "",
    byPayerLink: false,
    shippingKobo: Math.floor((model.shippingCents * model.rate) / 100),
    state: "open",
    createdAt: model.now,
    expiresAt: model.now + heldFor,
    order: ++model.order,
    payments: [],
  };
  model.orders.push(added);
  return added;
}

/** Notes which products the offer has made cheaper in an order, and takes its use if the order may hold it. */
function noteUse({ products }: Model, order: Order, offer: Offer | undefined, isHeld: boolean): void {
  const touched = [...order.lines.keys()].filter((one) => at(products, one).priceCents > (order.prices.get(one) ?? 0));
  if (!offer || touched.length === 0) return;
  order.use = { offer, products: touched, held: false };
  if (isHeld) takeUse(order);
}

// Orders by staff

/** The share of a size that all orders by staff together may hold, of what is on hand; at least one. */
const STAFF_SHARE = 0.25;

/** Holds pieces of a product for a customer of staff, who pays by a link. Undefined if they can't be held. */
export function hold(model: Model, product: number, quantity: number, heldFor: number): Order | undefined {
  const { supplied, sold } = at(model.products, product);
  const held = model.orders
    .filter((one) => one.user === STRANGER && isLive(one))
    .reduce((sum, { lines }) => sum + (lines.get(product) ?? 0), 0);
  const share = Math.max(1, Math.floor((supplied - sold) * STAFF_SHARE));
  if (quantity > available(model, product) || quantity > share - held) return;
  const lines = new Map([[product, quantity]]);
  const offer = offerFor(model, STRANGER);
  const prices = pricesUnder(offer, lines, model.products);
  const kobo = koboOf(model, lines, prices);
  const order = addOrder(model, { user: STRANGER, lines, prices, kobo, holdsStock: true, heldFor });
  noteUse(model, order, offer, true);
  return order;
}

/** The shopper ends the link for somebody else, and with it the hold. */
export function endPayerLink(model: Model, user: number): void {
  const live = liveOf(model, user);
  if (live?.byPayerLink) release(model, live);
}

/** Whoever has the link of an order, by staff or for somebody else, presses Pay. */
export function openLink(model: Model, order: Order): "opened" | "paid" | "awaited" | "over" {
  for (const payment of order.payments) {
    if (payment.said === "unknown") continue; // nobody has opened it
    const settled = settle(model, payment);
    if (settled === "sold") return "paid";
    if (settled === "pending") return "awaited";
  }
  return isLive(order) && order.expiresAt > model.now ? "opened" : "over";
}

/** Whether staff may write down that they have taken the money for an order of theirs. */
export function mayTakeByHand(model: Model, order: Order): boolean {
  if (order.payments.some(({ isByHand }) => isByHand)) return false;
  if (!isLive(order) || order.expiresAt <= model.now) return false;
  for (const payment of order.payments) {
    if (payment.said === "unknown") continue; // nobody has opened it
    const settled = settle(model, payment);
    if (settled === "sold") return true; // by the link, at this moment: what was taken goes back
    if (settled === "pending") return false;
  }
  return true;
}

/** Staff give back what they have taken for an order. False if nothing is to be given back. */
export function giveByHand({ payments }: Order): boolean {
  const byHand = payments.filter(({ isByHand }) => isByHand);
  const due = byHand.flatMap(({ refunds }) => refunds.filter(isUnderWay));
  if (due.length === 0 || due.some(({ state }) => state === "open")) return false;
  for (const refund of due) refund.arrived = true;
  for (const payment of byHand) seeArrived(payment);
  return true;
}

/** What pieces of a product cost at a stall: without delivery, with the offer that runs. */
export function sumAtStall(model: Model, product: number, quantity: number): number {
  const lines = new Map([[product, quantity]]);
  return koboOf({ ...model, shippingCents: 0 }, lines, pricesUnder(offerFor(model, STRANGER), lines, model.products));
}

/** Sells pieces at a stall: nothing was held for them, and they are gone at that moment. */
export function sellAtStall(model: Model, product: number, quantity: number): boolean {
  if (quantity > available(model, product)) return false;
  const row = at(model.products, product);
  const lines = new Map([[product, quantity]]);
  const offer = offerFor(model, STRANGER);
  const isTouched = (pricesUnder(offer, lines, model.products).get(product) ?? 0) < row.priceCents;
  if (offer?.most && isTouched) offer.used++;
  row.sold += quantity;
  model.order++;
  return true;
}

function mayHoldStock(model: Model, user: number, lines: Map<number, number>): boolean {
  const pieces = [...lines.values()].reduce((sum, quantity) => sum + quantity, 0);
  return pieces <= model.holdAtMost && lapsedOf(model, user) < MOST_LAPSED;
}

function lapsedOf({ orders, now }: Model, user: number): number {
  const begins = (one: Order) => (one.byPayerLink ? (one.released?.at ?? now) : one.createdAt);
  return orders.filter((one) => one.user === user && one.state === "released" && begins(one) > now - DAY).length;
}

/** The links that ended unpaid. No story lasts as long as such a link counts. */
function lapsedLinksOf({ orders }: Model, user: number): number {
  return orders.filter((one) => one.user === user && one.state === "released" && one.byPayerLink).length;
}

function takeUse({ use }: Order): void {
  if (!use || use.held) return;
  use.held = true;
  if (use.offer.most) use.offer.used++;
}

function freeUse({ use }: Order): void {
  if (!use?.held) return;
  use.held = false;
  if (use.offer.most) use.offer.used--;
}

function release(model: Model, order: Order): void {
  freeUse(order);
  order.state = "released";
  order.released = { at: model.now, order: ++model.order };
}

export type Settled = "sold" | "refunding" | "pending" | "unpaid";

export function settle(model: Model, payment: Payment): Settled {
  const { order } = payment;
  if (payment.settled) return payment.settled === "paid" ? "sold" : "refunding";
  switch (payment.said) {
    case "pending":
      if (isLive(order)) {
        order.state = "waiting";
        const until = Math.min(model.now + HELD_FOR, order.createdAt + TRANSFER_AT_MOST);
        order.expiresAt = Math.max(order.expiresAt, until);
      }
      releaseExpired(model, order);
      return "pending";
    case "success":
      return sellOrGiveBack(model, payment);
    case "reversed":
      if (isLive(order)) freeUse(order);
      payment.settled = "refused";
      payment.refunds.push({ ...asked(order.kobo, "provider"), state: "done" });
      if (order.state !== "sold") order.state = "refunded";
      return "refunding";
    default:
      releaseExpired(model, order);
      return "unpaid";
  }
}

export function close(model: Model, payment: Payment): Settled {
  const settled = settle(model, payment);
  const { order } = payment;
  if (settled === "unpaid" && isLive(order) && !order.byPayerLink) release(model, order);
  return settled;
}

function releaseExpired(model: Model, order: Order): void {
  if (isLive(order) && order.expiresAt <= model.now) release(model, order);
}

function sellOrGiveBack(model: Model, payment: Payment): Settled {
  const { order } = payment;
  const user = order.user === STRANGER ? undefined : at(model.users, order.user);
  const spent = (!isLive(order) && order.state !== "released") || (user && user.lastSale > order.order);
  if (spent || !isWorthIt(model, payment) || !takeStock(model, order)) {
    if (isLive(order)) freeUse(order);
    payment.settled = "refused";
    payment.refunds.push(asked(order.kobo));
    if (order.state !== "sold" && order.state !== "refunded") order.state = "refunding";
    return "refunding";
  }
  order.state = "sold";
  payment.settled = "paid";
  for (const [product, quantity] of order.lines) at(model.products, product).sold += quantity;
  if (user) takeOutOfCart(model, user, order);
  return "sold";
}

function takeOutOfCart(model: Model, user: User, { lines }: Order): void {
  user.lastSale = ++model.order;
  user.version++;
  for (const [product, quantity] of lines) {
    const left = (user.cart.get(product) ?? 0) - quantity;
    if (left > 0) user.cart.set(product, left);
    else user.cart.delete(product);
  }
}

/**
 * Whether a payment buys its order. One made after the order's release does so only within a day, of an order by staff
 * within a day after the end of its hold, and only if it covers today's sum, with the offer of its day on the products
 * that it touched.
 */
function isWorthIt(model: Model, { order, paid }: Payment): boolean {
  const { state, released, user, createdAt, expiresAt } = order;
  const isLate = state === "released" && paid && released && paid.order > released.order;
  if (!isLate) return true;
  const begins = user === STRANGER ? Math.min(expiresAt, released.at) : createdAt;
  return paid.at - begins <= DAY && sumToday(model, order) <= order.kobo;
}

function sumToday(model: Model, { lines, use }: Order): number {
  const isTouched = (product: number) => use?.products.includes(product) ?? false;
  return koboOf(model, lines, pricesUnder(use?.offer, lines, model.products, isTouched));
}

function takeStock(model: Model, order: Order): boolean {
  if (isLive(order) && order.holdsStock) return true;
  const live = order.user === STRANGER ? undefined : liveOf(model, order.user);
  const newer = live === order ? undefined : live;
  const own = (product: number) => (newer?.holdsStock && newer.lines.get(product)) || 0; // reserved by the same shopper
  const fits = [...order.lines].every(([product, quantity]) => available(model, product) + own(product) >= quantity);
  const { use } = order;
  const freed = newer?.use?.held && newer.use.offer === use?.offer ? 1 : 0;
  const isUsedUp = use && !use.held && use.offer.most && use.offer.used - freed >= use.offer.most;
  if (!fits || isUsedUp) return false;
  if (newer) release(model, newer);
  takeUse(order);
  return true;
}

// Refunds

export type Refund = {
  kobo: number;
  origin: "shop" | "provider";
  state: "open" | "sent" | "done" | "failed" | "void";
  /** Whether the provider has completed the refund, even if the shop has not seen that yet. */
  arrived: boolean;
  /** The product of each piece: a product occurs as often as it has pieces in the refund. */
  pieces: number[];
  withShipping: boolean;
};

function asked(kobo: number, origin: Refund["origin"] = "shop"): Refund {
  return { kobo, origin, state: "open", arrived: false, pieces: [], withShipping: false };
}

const counted = ({ refunds }: Payment) => refunds.filter(({ state }) => state !== "failed" && state !== "void");
const sumOf = (refunds: Refund[]) => refunds.reduce((sum, { kobo }) => sum + kobo, 0);
const isUnderWay = ({ state }: Refund) => state === "open" || state === "sent";

/** The part of a payment that is neither refunded nor being refunded. */
export function left(payment: Payment): number {
  return payment.order.kobo - sumOf(counted(payment));
}

function isSale({ settled, order }: Payment): boolean {
  return settled === "paid" && order.state === "sold";
}

/** Refunds all that is left of a sale, unless a piece of it is in a return. */
export function refundSale(payment: Payment): boolean {
  if (!isSale(payment) || left(payment) === 0 || payment.returns.some(isLiveReturn)) return false;
  replaceFailed(payment, () => true);
  giveAllBack(payment);
  payment.refunds.push({ ...asked(left(payment)), withShipping: true });
  return true;
}

/** Refunds a sum of a sale. */
export function refundSum(payment: Payment, kobo: number): boolean {
  if (!isSale(payment) || kobo > left(payment)) return false;
  if (kobo === left(payment)) replaceFailed(payment, () => true);
  payment.refunds.push(asked(kobo));
  if (left(payment) === 0) giveAllBack(payment);
  return true;
}

/** No order of the stories was packed, so its use of an offer is free again. */
function giveAllBack({ order }: Payment): void {
  order.state = "refunding";
  freeUse(order);
}

/** Voids the failed refunds that a new refund replaces. */
function replaceFailed({ refunds }: Payment, isSame: (refund: Refund) => boolean): void {
  for (const refund of refunds) if (refund.state === "failed" && isSame(refund)) refund.state = "void";
}

/**
 * The failed refunds that consist only of these pieces, all of one product. Undefined if the pieces are only a part of
 * a failed refund.
 */
function replacedBy({ refunds }: Payment, pieces: number[]): Refund[] | undefined {
  let left = pieces.length;
  const failed = refunds.filter((one) => one.state === "failed" && one.pieces.some((piece) => pieces.includes(piece)));
  const replaced = failed.filter((one) => {
    if (one.withShipping || one.pieces.some((piece) => !pieces.includes(piece)) || one.pieces.length > left)
      return false;
    left -= one.pieces.length;
    return true;
  });
  return left > 0 && replaced.length < failed.length ? undefined : replaced;
}

/**
 * Refunds pieces of a sale: what they add to the sum of the pieces refunded before, and never the money for the
 * shipping.
 */
export function refundPieces(payment: Payment, product: number, quantity = 1): boolean {
  const { lines, prices, kobo, shippingKobo } = payment.order;
  const back = counted(payment).flatMap(({ pieces }) => pieces);
  const returning = quantityOf(payment.returns.filter((one) => isLiveReturn(one) && one.product === product));
  const isLeft = back.filter((one) => one === product).length + returning + quantity <= (lines.get(product) ?? 0);
  if (!isSale(payment) || !isLeft) return false;
  const cents = (pieces: number[]) => pieces.reduce((sum, one) => sum + (prices.get(one) ?? 0), 0);
  const all = cents([...lines].flatMap(([one, quantity]) => Array.from({ length: quantity }, () => one)));
  const share = (pieces: number[]) => Math.floor(((kobo - shippingKobo) * cents(pieces)) / all);
  const kept = counted(payment).some(({ withShipping }) => withShipping) ? 0 : shippingKobo;
  const pieces = Array.from({ length: quantity }, () => product);
  const sum = Math.min(share([...back, ...pieces]) - share(back), left(payment) - kept);
  if (sum <= 0) return false;
  const replaced = sum === left(payment) ? payment.refunds : replacedBy(payment, pieces);
  if (!replaced) return false;
  replaceFailed(payment, (failed) => replaced.includes(failed));
  payment.refunds.push({ ...asked(sum), pieces });
  if (left(payment) === 0) giveAllBack(payment);
  return true;
}

/**
 * Refunds without further options: retries what has failed. Otherwise refunds all that is left, unless a partial refund
 * is under way.
 */
export function refundAgain(payment: Payment): boolean {
  const failed = payment.refunds.filter(({ state, origin }) => state === "failed" && origin === "shop");
  if (failed.length > 0 && left(payment) > 0) {
    for (const refund of failed) {
      const kobo = Math.min(refund.kobo, left(payment));
      Object.assign(refund, kobo === 0 ? { state: "void" } : { kobo, state: "open" });
    }
    return true;
  }
  return !payment.refunds.some(isUnderWay) && refundSale(payment);
}

/**
 * Records a refund by hand at the provider, which the shop sees. If one of the same sum has failed, it counts as that
 * one.
 */
export function refundByHand(payment: Payment, kobo: number): void {
  const failed = payment.refunds.findLast(
    (one) => one.state === "failed" && one.origin === "shop" && one.kobo === kobo,
  );
  if (failed) Object.assign(failed, { state: "done", arrived: true });
  else payment.refunds.push({ ...asked(kobo, "provider"), state: "done", arrived: true });
  if (left(payment) === 0 && !payment.refunds.some(({ state }) => state === "open")) payment.said = "reversed";
}

/** Completes all refunds that are under way at the provider; what is given back by hand is not. */
export function arrive(model: Model): void {
  for (const payment of payments(model)) {
    if (payment.isByHand) continue;
    for (const refund of payment.refunds) if (refund.state === "sent") refund.arrived = true;
    const arrived = payment.refunds.filter((one) => one.arrived && one.state !== "void");
    if (payment.said === "success" && sumOf(arrived) >= payment.order.kobo) payment.said = "reversed";
  }
}

/** Fails the refunds of a payment that are under way at the provider; the shop sees that. */
export function fail(payment: Payment): void {
  for (const refund of payment.refunds) if (refund.state === "sent" && !refund.arrived) refund.state = "failed";
}

/** The bank takes the whole payment back, for which the provider has no refund. */
export function takeBack(payment: Payment): void {
  payment.said = "reversed";
  if (!payment.settled) return;
  for (const refund of payment.refunds)
    if (isUnderWay(refund) || (refund.state === "failed" && refund.kobo <= left(payment))) refund.state = "done";
  if (left(payment) > 0) payment.refunds.push({ ...asked(left(payment), "provider"), state: "done" });
  conclude(payment);
}

/** The shop sees the completed refunds. */
export function seeArrived(payment: Payment): void {
  for (const refund of payment.refunds) if (refund.state === "sent" && refund.arrived) refund.state = "done";
  conclude(payment);
}

/** One round of refunds: those that the provider has completed become done, open ones are sent. */
export function runRefunds(model: Model): void {
  for (const payment of payments(model)) {
    seeArrived(payment);
    for (const refund of payment.refunds) if (refund.state === "open") refund.state = "sent";
  }
}

/**
 * Ends what was refunded completely. The state of an order that was once sold depends on its sale's payment alone; any
 * other order is refunded with the last of its payments.
 */
export function conclude(payment: Payment): void {
  const { order, settled } = payment;
  if (!settled || sumOf(payment.refunds.filter(({ state }) => state === "done")) < order.kobo) return;
  for (const refund of payment.refunds) if (refund.state === "failed") refund.state = "void";
  const sold = order.payments.some((one) => one.settled === "paid");
  if (settled === "paid" || !sold) order.state = "refunded";
}

/** Lets time pass. The shop checks every payment that is not settled, the oldest first. */
export function tick(model: Model, minutes: number): void {
  model.now += minutes;
  for (const payment of payments(model)) if (!payment.settled) settle(model, payment);
  runRefunds(model);
}

// Returns and exchanges

const isLiveReturn = ({ state }: Return) => ["asked", "approved", "received"].includes(state);
const quantityOf = (returns: Return[]) => returns.reduce((sum, { quantity }) => sum + quantity, 0);
const isHolding = ({ wish, state }: Return) => wish === "exchange" && ["approved", "received"].includes(state);

/**
 * The pieces of a product that were returned, are being returned or were exchanged, since each can be returned only
 * once. Failed refunds count, since they are retried.
 */
function comingBack({ refunds, returns }: Payment, product: number): number {
  const given = refunds.filter(({ state }) => state !== "void").flatMap(({ pieces }) => pieces);
  const inReturns = returns.filter((one) => one.product === product);
  const kept = inReturns.filter((one) => isLiveReturn(one) || (one.state === "done" && one.wish === "exchange"));
  return given.filter((one) => one === product).length + quantityOf(kept);
}

/** A shopper asks for a return of a sale that has arrived. An exchange needs pieces in stock. */
export function askReturn(
  model: Model,
  payment: Payment,
  { product, quantity, wish }: Pick<Return, "product" | "quantity" | "wish">,
): boolean {
  const isLeft = comingBack(payment, product) + quantity <= (payment.order.lines.get(product) ?? 0);
  return isSale(payment) && isLeft && (wish === "money" || available(model, product) >= quantity);
}

/** Approves a return. For an exchange, the other pieces are reserved from now on. */
export function approve(model: Model, { order }: Payment, one: Return): boolean {
  const canBe = one.wish === "money" || available(model, one.product) >= one.quantity;
  if (one.state !== "asked" || order.state !== "sold" || !canBe) return false;
  one.state = "approved";
  return true;
}

export function decline(one: Return): boolean {
  if (!isLiveReturn(one)) return false;
  one.state = "declined";
  return true;
}

export function withdraw(one: Return): boolean {
  if (one.state !== "asked" && one.state !== "approved") return false;
  one.state = "withdrawn";
  return true;
}

export function receive(one: Return): boolean {
  if (one.state !== "approved") return false;
  one.state = "received";
  return true;
}

/**
 * Refunds the pieces that came, even if an exchange was wished for. They are in stock again; pieces that did not come
 * stay bought.
 */
export function refundReturn(model: Model, payment: Payment, one: Return, came: number): boolean {
  const hasFailed = payment.refunds.some(({ pieces, state }) => pieces.includes(one.product) && state === "failed");
  if (one.state !== "received" || !isSale(payment) || hasFailed || came > one.quantity) return false;
  one.state = "done";
  const wish = one.wish;
  one.wish = "money";
  if (refundPieces(payment, one.product, came)) {
    at(model.products, one.product).supplied += came;
    return true;
  }
  Object.assign(one, { state: "received", wish });
  return false;
}

/** Sends the other pieces of an exchange. The returned ones are in stock again. */
export function sendExchange(model: Model, { order }: Payment, one: Return): boolean {
  if (one.wish !== "exchange" || one.state !== "received" || order.state !== "sold") return false;
  one.state = "done";
  const row = at(model.products, one.product);
  row.sold += one.quantity;
  row.supplied += one.quantity;
  return true;
}
