// What the shop ought to do, in plain data: no database, no locks, one thing after the other. The real shop is held against it.

export const HELD_FOR = 15;
const TRANSFER_AT_MOST = 120;
const DAY = 24 * 60;
const MOST_LAPSED = 3;

export type Said = "unknown" | "abandoned" | "failed" | "pending" | "success" | "reversed";
export type Payment = {
  reference: string;
  attempt: Attempt;
  said: Said;
  /** When the provider last said something of it, and its place among all that happens. */
  paid?: { at: number; order: number };
  settled?: "paid" | "refused";
  refund?: "open" | "sent" | "done";
};
export type Attempt = {
  id: string;
  user: number;
  lines: Map<number, number>;
  version: number;
  address: string;
  kobo: number;
  state: "open" | "waiting" | "released" | "sold" | "refunding" | "refunded";
  holdsStock: boolean;
  createdAt: number;
  expiresAt: number;
  /** Its place among all that happens, and that of its release. */
  order: number;
  releasedAs?: number;
  payments: Payment[];
};
export type Product = { priceCents: number; supplied: number; sold: number };
export type User = { cart: Map<number, number>; version: number; merged: Set<string>; lastSale: number };

export type Model = {
  /** Minutes. */
  now: number;
  order: number;
  /** Pieces of an order that holds its stock. */
  holdAtMost: number;
  /** Hundredths of a naira for a dollar. */
  rate: number;
  shippingCents: number;
  products: Product[];
  users: User[];
  attempts: Attempt[];
};

export const isLive = ({ state }: Attempt) => state === "open" || state === "waiting";
export const payments = (model: Model) => model.attempts.flatMap((attempt) => attempt.payments);
export const liveOf = (model: Model, user: number) => model.attempts.find((one) => one.user === user && isLive(one));

export function reserved(model: Model, product: number, user?: number): number {
  return model.attempts
    .filter((one) => isLive(one) && one.holdsStock && (user === undefined || one.user === user))
    .reduce((sum, { lines }) => sum + (lines.get(product) ?? 0), 0);
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
  if (user.merged.has(mergeId)) return;
  user.merged.add(mergeId);
  for (const [product, quantity] of guest) {
    const stock = available(model, product);
    if (stock > 0) user.cart.set(product, Math.min((user.cart.get(product) ?? 0) + quantity, stock));
  }
}

export function restock(model: Model, product: number, onHand: number): boolean {
  if (onHand < reserved(model, product)) return false;
  const row = at(model.products, product);
  row.supplied = row.sold + onHand;
  return true;
}

// Paying

/** In exact numbers: the smallest whole naira that covers the sum. */
export function koboOf({ rate, shippingCents, products }: Model, lines: Map<number, number>): number {
  const cents = [...lines].reduce(
    (sum, [product, quantity]) => sum + BigInt(at(products, product).priceCents) * BigInt(quantity),
    BigInt(shippingCents),
  );
  const exact = cents * BigInt(rate); // ten-thousandths of a naira
  const naira = exact / 10_000n + (exact % 10_000n === 0n ? 0n : 1n);
  return Number(naira * 100n);
}

export type Started =
  | { answer: "opened"; attempt: Attempt; fresh: boolean }
  | { answer: "empty-cart" | "out-of-stock" | "stale-total" | "holds-nothing" | "already-paid" };

export type Agreed = { agreedKobo?: number; agreesToNoHold?: boolean };

/** `agreedKobo` is the sum that the shopper saw. A fresh attempt's id and payments are filled in by who sees the shop's answer. */
export function start(model: Model, userIndex: number, address: string, agreed: Agreed): Started {
  const { agreedKobo, agreesToNoHold } = agreed;
  const user = at(model.users, userIndex);
  let asked: Attempt | undefined;
  for (;;) {
    if (user.cart.size === 0) return { answer: "empty-cart" };
    const live = liveOf(model, userIndex);
    const same =
      live &&
      live.expiresAt > model.now &&
      live.version === user.version &&
      live.address === address &&
      (agreedKobo === undefined || agreedKobo === live.kobo);
    if (live && same) return { answer: "opened", attempt: live, fresh: false };
    if (live && live !== asked) {
      for (const payment of live.payments) if (settle(model, payment) === "sold") return { answer: "already-paid" };
      asked = live;
      continue;
    }
    const lines = new Map(user.cart);
    const holdsStock = mayHoldStock(model, userIndex, lines);
    if (live) release(model, live);
    for (const [product, quantity] of lines)
      if (quantity > available(model, product)) return { answer: "out-of-stock" };
    const kobo = koboOf(model, lines);
    if (agreedKobo !== undefined && agreedKobo !== kobo) return { answer: "stale-total" };
    if (!holdsStock && !agreesToNoHold) return { answer: "holds-nothing" };
    const attempt: Attempt = {
      id: "",
      user: userIndex,
      lines,
      version: user.version,
      address,
      kobo,
      state: "open",
      holdsStock,
      createdAt: model.now,
      expiresAt: model.now + HELD_FOR,
      order: ++model.order,
      payments: [],
    };
    model.attempts.push(attempt);
    return { answer: "opened", attempt, fresh: true };
  }
}

function mayHoldStock({ attempts, now, holdAtMost }: Model, user: number, lines: Map<number, number>): boolean {
  const pieces = [...lines.values()].reduce((sum, quantity) => sum + quantity, 0);
  const lapsed = attempts.filter((one) => one.user === user && one.state === "released" && one.createdAt > now - DAY);
  return pieces <= holdAtMost && lapsed.length < MOST_LAPSED;
}

function release(model: Model, attempt: Attempt): void {
  attempt.state = "released";
  attempt.releasedAs = ++model.order;
}

export type Settled = "sold" | "refunding" | "pending" | "unpaid";

export function settle(model: Model, payment: Payment): Settled {
  const { attempt } = payment;
  if (payment.settled) return payment.settled === "paid" ? "sold" : "refunding";
  switch (payment.said) {
    case "pending":
      if (isLive(attempt)) {
        attempt.state = "waiting";
        const until = Math.min(model.now + HELD_FOR, attempt.createdAt + TRANSFER_AT_MOST);
        attempt.expiresAt = Math.max(attempt.expiresAt, until);
      }
      releaseExpired(model, attempt);
      return "pending";
    case "success":
      return sellOrGiveBack(model, payment);
    case "reversed":
      payment.settled = "refused";
      if (attempt.state !== "sold") attempt.state = "refunded";
      return "refunding";
    default:
      releaseExpired(model, attempt);
      return "unpaid";
  }
}

export function close(model: Model, payment: Payment): Settled {
  const settled = settle(model, payment);
  if (settled === "unpaid" && isLive(payment.attempt)) release(model, payment.attempt);
  return settled;
}

function releaseExpired(model: Model, attempt: Attempt): void {
  if (isLive(attempt) && attempt.expiresAt <= model.now) release(model, attempt);
}

function sellOrGiveBack(model: Model, payment: Payment): Settled {
  const { attempt } = payment;
  const user = at(model.users, attempt.user);
  const spent = (!isLive(attempt) && attempt.state !== "released") || user.lastSale > attempt.order;
  if (spent || !isWorthIt(model, payment) || !takeStock(model, attempt)) {
    payment.settled = "refused";
    payment.refund = "open";
    if (attempt.state !== "sold" && attempt.state !== "refunded") attempt.state = "refunding";
    return "refunding";
  }
  attempt.state = "sold";
  payment.settled = "paid";
  user.lastSale = ++model.order;
  user.version++;
  for (const [product, quantity] of attempt.lines) {
    at(model.products, product).sold += quantity;
    const left = (user.cart.get(product) ?? 0) - quantity;
    if (left > 0) user.cart.set(product, left);
    else user.cart.delete(product);
  }
  return "sold";
}

/** What was paid after the order's release buys nothing below today's sum, and nothing after a day. */
function isWorthIt(model: Model, { attempt, paid }: Payment): boolean {
  const isLate = attempt.state === "released" && paid && attempt.releasedAs && paid.order > attempt.releasedAs;
  return !isLate || (paid.at - attempt.createdAt <= DAY && koboOf(model, attempt.lines) <= attempt.kobo);
}

function takeStock(model: Model, attempt: Attempt): boolean {
  if (isLive(attempt) && attempt.holdsStock) return true;
  const live = liveOf(model, attempt.user);
  const newer = live === attempt ? undefined : live;
  const own = (product: number) => (newer?.holdsStock && newer.lines.get(product)) || 0; // it is the shopper's own
  const fits = [...attempt.lines].every(([product, quantity]) => available(model, product) + own(product) >= quantity);
  if (fits && newer) release(model, newer);
  return fits;
}

// Money going back

export function refundSale(payment: Payment): boolean {
  if (payment.settled !== "paid" || payment.attempt.state !== "sold") return false;
  payment.attempt.state = "refunding";
  payment.refund = "open";
  return true;
}

/** One round of the refunds: asked for, then done when the provider says so. */
export function runRefunds(model: Model): void {
  for (const payment of payments(model)) {
    if (payment.refund === "open" && payment.said === "success") payment.refund = "sent";
    else if ((payment.refund === "open" || payment.refund === "sent") && payment.said === "reversed") {
      payment.refund = "done";
      conclude(payment);
    }
  }
}

/** An order that was sold once stays as its sale is; any other one has its money back with the last payment of it. */
export function conclude({ attempt, settled }: Payment): void {
  const sold = attempt.payments.some((one) => one.settled === "paid");
  if (settled === "paid" || !sold) attempt.state = "refunded";
}

/** Time passes, and the shop looks at every payment that is not settled, the oldest first. */
export function tick(model: Model, minutes: number): void {
  model.now += minutes;
  for (const payment of payments(model)) if (!payment.settled) settle(model, payment);
  runRefunds(model);
}
