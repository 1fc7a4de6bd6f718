import { isMet, type Line, type Priced, pricedWith, type Terms } from "./model-prices.ts";

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
  /** What is paid: the order's sum, or less where cash is rounded down. */
  kobo: number;
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
  /** The percentages of the sales that its products were on when it was begun. */
  sales: Map<number, number>;
  /** The offers that made its prices, on these products, and that of its free delivery, by age. */
  uses: Use[];
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
/** `priceCents`: the normal price. `salePercent`: of the sale that it is on. */
export type Product = { id: string; priceCents: number; salePercent?: number; supplied: number; sold: number };
/** An offer for so many orders in all; with a code, for carts that have it. `used` is counted only where it is limited. */
export type Offer = Terms & { id: number; most?: number; used: number; code?: string; runs: boolean };
export type Use = { offer: Offer; products: number[]; held: boolean };
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
  /** The oldest first. */
  offers: Offer[];
  /** Whether cash is rounded down. */
  roundsCash: boolean;
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

/** What a piece costs before offers: less than the normal price while it is on sale, rounded down to a cent. */
function inForce({ priceCents }: Product, salePercent = 0): number {
  return Math.max(1, Math.floor((priceCents * (100 - salePercent)) / 100));
}

/** The pieces at their prices in force, with these sales; by default with those that run. */
function linesOf(
  { products }: Model,
  pieces: Map<number, number>,
  saleOf = (product: number) => at(products, product).salePercent,
): Line[] {
  return [...pieces].map(([product, quantity]) => {
    const row = at(products, product);
    const cents = inForce(row, saleOf(product));
    return { product, id: row.id, quantity, cents, isOnSale: cents < row.priceCents };
  });
}

export function typeCode(model: Model, userIndex: number, code: string | undefined): void {
  const user = at(model.users, userIndex);
  user.version++;
  user.code = code;
}

/** The offers that run and have a use left for a user, whose own open order's uses are free for the next one. */
function offersFor({ offers, orders }: Model, user: number): Offer[] {
  const own = orders.filter((one) => user !== STRANGER && one.user === user && isLive(one)).flatMap(({ uses }) => uses);
  return offers.filter((offer) => {
    const taken = offer.used - own.filter((use) => use.held && use.offer === offer).length;
    return offer.runs && (offer.most === undefined || taken < offer.most);
  });
}

/**
 * What pieces cost a user now. At most one offer applies to each piece, so that all save most. A code counts only where
 * it saves more than the offers without it.
 */
function pricedFor(model: Model, user: number, pieces: Map<number, number>): Priced<Offer> {
  const lines = linesOf(model, pieces);
  const code = user === STRANGER ? undefined : at(model.users, user).code;
  const all = offersFor(model, user).filter((offer) => !offer.code || offer.code === code);
  const typed = all.find((offer) => offer.code && isMet(offer, lines, model.rate));
  const plain = pricedWith(
    lines,
    all.filter((offer) => !offer.code),
    model.rate,
  );
  if (!typed) return plain;
  const withCode = pricedWith(lines, all, model.rate);
  const isBetter = typed.gift.kind === "delivery" ? !plain.isFree : withCode.saved > plain.saved;
  return isBetter ? withCode : plain;
}

/** What a cart costs a user now, in kobo. */
export function sumOfCart(model: Model, user: number): number {
  const { cart } = at(model.users, user);
  return sumOf(model, cart, pricedFor(model, user, cart));
}

/** What an order of these pieces costs, delivered. */
function sumOf(model: Model, pieces: Map<number, number>, { prices, isFree }: Priced<unknown>): number {
  return koboOf(model, pieces, prices, isFree ? 0 : model.shippingCents);
}

/** The sum in kobo: the smallest whole naira that covers it, computed exactly. */
function koboOf(
  { rate }: Model,
  lines: Map<number, number>,
  prices: Map<number, number>,
  shippingCents: number,
): number {
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
    const priced = pricedFor(model, userIndex, lines);
    const kobo = sumOf(model, lines, priced);
    if (byPayerLink && (!holdsStock || lapsedLinksOf(model, userIndex) >= MOST_LAPSED_LINKS))
      return { answer: "no-link" };
    if (agreedKobo !== undefined && agreedKobo !== kobo) return { answer: "stale-total" };
    if (!holdsStock && !agreesToNoHold) return { answer: "holds-nothing" };
    if (live) release(model, live);
    const heldFor = byPayerLink ? HELD_FOR_PAYER : HELD_FOR;
    const order = addOrder(model, { user: userIndex, lines, priced, holdsStock, heldFor });
    Object.assign(order, { version: user.version, address, byPayerLink });
    if (lapsedOf(model, userIndex) < MOST_LAPSED) takeUses(order);
    return { answer: "opened", order, fresh: true };
  }
}

type NewOrder = Pick<Order, "user" | "lines" | "holdsStock"> & { priced: Priced<Offer>; heldFor: number };

function addOrder(model: Model, { heldFor, priced, ...order }: NewOrder): Order {
  const shippingCents = priced.isFree ? 0 : model.shippingCents;
  const added: Order = {
    ...order,
    id: "",
    version: 0,
    address: "",
    byPayerLink: false,
    kobo: sumOf(model, order.lines, priced),
    prices: priced.prices,
    shippingKobo: Math.floor((shippingCents * model.rate) / 100),
    sales: new Map([...order.lines.keys()].map((product) => [product, at(model.products, product).salePercent ?? 0])),
    uses: priced.uses.map(({ terms, products }) => ({ offer: terms, products, held: false })),
    state: "open",
    createdAt: model.now,
    expiresAt: model.now + heldFor,
    order: ++model.order,
    payments: [],
  };
  model.orders.push(added);
  return added;
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
  const priced = pricedFor(model, STRANGER, lines);
  const order = addOrder(model, { user: STRANGER, lines, priced, holdsStock: true, heldFor });
  takeUses(order);
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

const CASH_STEP = 50_00; // kobo

/** What is taken for a sum: in cash it is rounded down to ₦50, unless the owner has switched that off. */
export function toTake({ roundsCash }: Model, kobo: number, means: string): number {
  return means === "cash" && roundsCash && kobo >= CASH_STEP ? Math.floor(kobo / CASH_STEP) * CASH_STEP : kobo;
}

/** What pieces of a product cost at a stall: without delivery, with the offers that run. */
export function sumAtStall(model: Model, product: number, quantity: number): number {
  const pieces = new Map([[product, quantity]]);
  return koboOf(model, pieces, pricedFor(model, STRANGER, pieces).prices, 0);
}

/** Sells pieces at a stall: nothing was held for them, and they are gone at that moment. */
export function sellAtStall(model: Model, product: number, quantity: number): boolean {
  if (quantity > available(model, product)) return false;
  const { uses } = pricedFor(model, STRANGER, new Map([[product, quantity]]));
  for (const { terms } of uses) if (terms.most && terms.gift.kind !== "delivery") terms.used++; // nothing is delivered
  at(model.products, product).sold += quantity;
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

function takeUses({ uses }: Order): void {
  for (const use of uses) {
    if (!use.held && use.offer.most) use.offer.used++;
    use.held = true;
  }
}

function freeUses({ uses }: Order): void {
  for (const use of uses) {
    if (use.held && use.offer.most) use.offer.used--;
    use.held = false;
  }
}

function release(model: Model, order: Order): void {
  freeUses(order);
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
      if (isLive(order)) freeUses(order);
      payment.settled = "refused";
      payment.refunds.push({ ...asked(payment.kobo, "provider"), state: "done" });
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
    if (isLive(order)) freeUses(order);
    payment.settled = "refused";
    payment.refunds.push(asked(payment.kobo));
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

function sumToday(model: Model, { lines, sales, uses }: Order): number {
  const terms = uses
    .toSorted((a, b) => a.offer.id - b.offer.id)
    .map(({ offer: { gift }, products }) => ({
      gift,
      onSaleToo: true,
      ...(gift.kind !== "delivery" && { about: products }),
    }));
  const today = linesOf(model, lines, (product) => sales.get(product));
  return sumOf(model, lines, pricedWith(today, terms, model.rate));
}

function takeStock(model: Model, order: Order): boolean {
  if (isLive(order) && order.holdsStock) return true;
  const live = order.user === STRANGER ? undefined : liveOf(model, order.user);
  const newer = live === order ? undefined : live;
  const own = (product: number) => (newer?.holdsStock && newer.lines.get(product)) || 0; // reserved by the same shopper
  const fits = [...order.lines].every(([product, quantity]) => available(model, product) + own(product) >= quantity);
  const isUsedUp = order.uses.some(({ offer, held }) => {
    const freed = newer?.uses.some((one) => one.held && one.offer === offer) ? 1 : 0;
    return !held && offer.most !== undefined && offer.used - freed >= offer.most;
  });
  if (!fits || isUsedUp) return false;
  if (newer) release(model, newer);
  takeUses(order);
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
const together = (refunds: Refund[]) => refunds.reduce((sum, { kobo }) => sum + kobo, 0);
const isUnderWay = ({ state }: Refund) => state === "open" || state === "sent";

/** The part of a payment that is neither refunded nor being refunded. */
export function left(payment: Payment): number {
  return payment.kobo - together(counted(payment));
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
  freeUses(order);
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
  const { kobo } = payment;
  const { lines, prices } = payment.order;
  const shippingKobo = Math.min(kobo, payment.order.shippingKobo);
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
    if (payment.said === "success" && together(arrived) >= payment.kobo) payment.said = "reversed";
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
  if (!settled || together(payment.refunds.filter(({ state }) => state === "done")) < payment.kobo) return;
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
