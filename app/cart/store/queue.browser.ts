import * as messages from "#app/messages.ts";
import { cartOwner } from "../guest-cart.browser.ts";
import { type Change, needs, repeatable, replaces } from "../projection.ts";
import { randomId } from "../random-id.ts";
import { refreshCart, refreshIfOutdated } from "./refresh.browser.ts";
import { type Reply, request } from "./request.browser.ts";
import { forgetServerCart, keepServerCart, keepWritten, setPending } from "./server-cart.browser.ts";
import { endSession } from "./session-end.browser.ts";
import { getState, isShown } from "./state.browser.ts";
import { storeUnsent } from "./unsent.browser.ts";

/** Unconfirmed changes of a signed-in shopper's cart, oldest first. The first one is being sent. */
let queue: { change: Change; done(reply: Reply): void }[] = [];
let isSending = false;

function setQueue(next: typeof queue): void {
  queue = next;
  setPending(queue.map(({ change }) => change));
}

/** Shows a change at once and sends it after the earlier ones. */
export function send(next: Change): Promise<Reply> {
  storeUnsent(null, []); // a page restored from the back/forward cache still has its queue
  return new Promise((resolve) => {
    const last = queue.at(-1);
    if (last && queue.length > 1 && replaces(next, last.change))
      setQueue([...queue.slice(0, -1), { change: next, done: (reply) => [last.done(reply), resolve(reply)] }]);
    else setQueue([...queue, { change: next, done: resolve }]);
    if (!isSending) void sendAll();
  });
}

async function sendAll(): Promise<void> {
  isSending = true;
  let isRefused = false;
  for (let [first] = queue; first; [first] = queue) {
    const owner = cartOwner();
    const body = bodyOf(first.change);
    let reply = await request(body);
    if (reply.isLost && (first.change.key || first.change.intent === "size")) reply = await request(body);
    isRefused ||= reply.isSignedOut === true || reply.problem !== undefined;
    if (reply.isSignedOut) {
      dropAll(reply, owner);
      break;
    }
    if (reply.cart) keepServerCart(reply.cart, owner);
    if (reply.change && !keepWritten(reply.change, owner)) await reload(owner);
    const failed = reply.problem ? queue.slice(1).filter(({ change }) => needs(change, first.change)) : [];
    setQueue(queue.slice(1).filter((one) => !failed.includes(one)));
    for (const { done } of [first, ...failed]) done(reply);
  }
  isSending = false;
  // A refused change is a sign that the page shows an old price or stock, so the cart is loaded again.
  if (isRefused && isShown()) void refreshCart();
  else refreshIfOutdated();
}

async function reload(owner: string | null): Promise<void> {
  if (!isShown()) return forgetServerCart();
  const { cart } = await request({ intent: "show" });
  if (cart) keepServerCart(cart, owner);
}

/**
 * Drops the queue because the session has ended. Each caller gets the reply. Only additions are kept
 * (changes.browser.ts).
 */
function dropAll(reply: Reply, owner: string | null): void {
  const dropped = queue;
  setQueue([]);
  const hasOnlyAdditions = dropped.every(({ change: { intent } }) => intent === "add");
  endSession(owner, hasOnlyAdditions ? messages.session.ended : messages.session.notChanged);
  for (const { done } of dropped) done(reply);
}

function bodyOf({ intent, id, size, quantity, key, to }: Change) {
  return { intent, id, size, key, to, ...(intent !== "remove" && { quantity }) };
}

/**
 * Called when the page closes: sends all remaining changes without waiting for responses. The next page repeats them,
 * which adds nothing twice.
 */
export function sendRest(): void {
  const changes = queue.map(({ change }) => change);
  storeUnsent(cartOwner(), repeatable(changes, getState().cart?.lines));
  const rest = queue.slice(1);
  setQueue(queue.slice(0, 1));
  for (const { change, done } of rest) void request(bodyOf(change)).then(done);
}

/** Idempotency keys of additions without a response: if the shopper tries again, the same key is used. */
const lostKeys = new Map<string, string>();

/** Sends an addition with its own idempotency key. */
export async function sendAddition(addition: Omit<Change, "intent" | "key">): Promise<Reply> {
  const what = `${addition.id} ${addition.size} ${addition.quantity}`;
  const key = lostKeys.get(what) ?? randomId();
  lostKeys.delete(what);
  const reply = await send({ ...addition, intent: "add", key });
  if (reply.isLost) lostKeys.set(what, key);
  return reply;
}
