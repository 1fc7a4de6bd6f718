import * as messages from "#app/messages.ts";
import { cartOwner } from "../guest-cart.browser.ts";
import { type Change, replaces } from "../projection.ts";
import { randomId } from "../random-id.ts";
import { refreshCart, refreshIfOutdated } from "./refresh.browser.ts";
import { type Reply, request } from "./request.browser.ts";
import { forgetServerCart, keepServerCart, keepWritten, setPending } from "./server-cart.browser.ts";
import { endSession } from "./session-end.browser.ts";
import { isShown } from "./state.browser.ts";
import { storeUnsent } from "./unsent.browser.ts";

/** Changes of a signed-in shopper's cart in the order in which they were made; the first one is on its way. */
let queue: { change: Change; done(reply: Reply): void }[] = [];
let isSending = false;

function setQueue(next: typeof queue): void {
  queue = next;
  setPending(queue.map(({ change }) => change));
}

/** Shows a change at once and sends it after those before it. */
export function send(next: Change): Promise<Reply> {
  storeUnsent(null, []); // a page that has come back from the browser's memory goes on by itself
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
    if (reply.isLost && first.change.key) reply = await request(body);
    isRefused ||= reply.isSignedOut === true || reply.problem !== undefined;
    if (reply.isSignedOut) {
      dropAll(reply, owner);
      break;
    }
    if (reply.change && !keepWritten(reply.change, owner)) await reload(owner);
    setQueue(queue.slice(1));
    first.done(reply);
  }
  isSending = false;
  // The page does not know yet why it was refused.
  if (isRefused && isShown()) void refreshCart();
  else refreshIfOutdated();
}

async function reload(owner: string | null): Promise<void> {
  if (!isShown()) return forgetServerCart();
  const { cart } = await request({ intent: "show" });
  if (cart) keepServerCart(cart, owner);
}

/** Without a session nothing can be written: each caller is told. Only what was added is kept (changes.browser.ts). */
function dropAll(reply: Reply, owner: string | null): void {
  const dropped = queue;
  setQueue([]);
  const hasOnlyAdditions = dropped.every(({ change: { intent } }) => intent === "add");
  endSession(owner, hasOnlyAdditions ? messages.session.ended : messages.session.notChanged);
  for (const { done } of dropped) done(reply);
}

function bodyOf({ intent, id, size, quantity, key }: Change) {
  return { intent, id, size, key, ...(intent !== "remove" && { quantity }) };
}

/** For a page that goes away: sends all that has not been sent without waiting for answers. The next page sends it again: nothing is added twice. */
export function sendRest(): void {
  storeUnsent(
    cartOwner(),
    queue.map(({ change }) => change),
  );
  const rest = queue.slice(1);
  setQueue(queue.slice(0, 1));
  for (const { change, done } of rest) void request(bodyOf(change)).then(done);
}

/** Idempotency keys of additions whose answer was lost: the shopper who tries again means the same one. */
const lostKeys = new Map<string, string>();

/** Sends an addition under an idempotency key of its own. */
export async function sendAddition(addition: Omit<Change, "intent" | "key">): Promise<Reply> {
  const what = `${addition.id} ${addition.size} ${addition.quantity}`;
  const key = lostKeys.get(what) ?? randomId();
  lostKeys.delete(what);
  const reply = await send({ ...addition, intent: "add", key });
  if (reply.isLost) lostKeys.set(what, key);
  return reply;
}
