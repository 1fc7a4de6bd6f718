import { currentUser } from "#app/account/session/store.server.ts";
import {
  addToCart,
  changeSize,
  getCart,
  mergeFromForm,
  priceGuestCart,
  removeFromCart,
  setQuantity,
} from "#app/cart/cart.server.ts";
import { cartQuestion } from "#app/cart/change-fields.ts";
import { clearNoScriptCart, readNoScriptCart } from "#app/cart/no-script-cart.server.ts";
import { guestCode } from "#app/cart/offers/code.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { localLimit } from "#app/infra/http/local-limit.server.ts";
import { addressOf } from "#app/infra/http/network.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import * as messages from "#app/messages.ts";

/**
 * Requests a minute from one network: enough for all guests behind the address of a mobile carrier, too few for a
 * program.
 */
const limitGuests = localLimit("guest cart", 3000);

const SIGNED_OUT = { status: 401, json: { problem: "Not signed in" } } as const;

/** The signed-in shopper's cart: {version, lines}. */
export async function get(request: Request): Promise<ApiAnswer> {
  const user = await currentUser(request);
  return user ? { json: await getCart(db(), user.id) } : SIGNED_OUT;
}

/**
 * Handles an intent of `cartQuestion`. `show` and `price` return the cart; `price` stores nothing. A change returns its
 * result, a change of the size the cart, and `merge` the result of merging a guest cart. `take` returns the cart that
 * was added without JavaScript; it stays in its cookie until the script has stored it and sends `taken`.
 */
export async function post(request: Request): Promise<ApiAnswer> {
  const asked = cartQuestion.safeParse(readStorableJson(await request.text()));
  if (!asked.success) return { status: 400, json: { problem: "This isn’t a change to a cart." } };
  const wanted = asked.data;
  if (wanted.intent === "price" || wanted.intent === "take" || wanted.intent === "taken") {
    const limited = limitGuests(addressOf(request));
    if (!limited.ok) return tooOften(limited.retryAfter);
  }
  if (wanted.intent === "price")
    return { json: { cart: await priceGuestCart(db(), wanted.items, guestCode(request)) } };
  if (wanted.intent === "take") return { json: await noScriptCart(request) };
  if (wanted.intent === "taken")
    return readNoScriptCart(request).mark === wanted.mark
      ? { json: {}, headers: { "Set-Cookie": clearNoScriptCart() } }
      : { json: {} };
  const user = await currentUser(request);
  if (!user) return SIGNED_OUT;
  if (wanted.intent === "show") return { json: { cart: await getCart(db(), user.id) } };
  if (wanted.intent === "merge") {
    const { mergeId } = wanted;
    return {
      json: { merged: await mergeFromForm(db(), user.id, { guestCart: JSON.stringify(wanted.items), mergeId }) },
    };
  }
  if (wanted.intent === "remove") return { json: { change: await removeFromCart(db(), user.id, wanted) } };
  if (wanted.intent === "size") {
    const done = await changeSize(db(), user.id, wanted);
    return { json: done.ok ? { cart: await getCart(db(), user.id) } : { problem: done.problem } };
  }
  return { json: await (wanted.intent === "add" ? addToCart : setQuantity)(db(), user.id, wanted) };
}

async function noScriptCart(request: Request) {
  const { mergeId, mark, items } = readNoScriptCart(request);
  return { mergeId, mark, cart: await priceGuestCart(db(), items, guestCode(request)) };
}

function tooOften(retryAfter: number): ApiAnswer {
  return { status: 429, json: { problem: messages.form.tooOften }, headers: { "Retry-After": String(retryAfter) } };
}
