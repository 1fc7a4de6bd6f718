import { z } from "zod";
import { currentUser } from "#app/account/session/store.server.ts";
import {
  addToCart,
  bringGuestCart,
  getCart,
  priceGuestCart,
  removeFromCart,
  setQuantity,
} from "#app/cart/cart.server.ts";
import { readGuestItems } from "#app/cart/guest-item.ts";
import { clearNoScriptItems, describeNoScriptItems } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { localLimit } from "#app/infra/http/local-limit.server.ts";
import { addressOf } from "#app/infra/http/network.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { readStorableJson } from "#app/infra/storable-text.ts";
import { messages } from "#app/messages.ts";

const name = z.string().min(1);
const items = z.array(z.unknown()).max(100).transform(readGuestItems);
const line = { id: name.max(100), size: name.max(8) };
const quantity = z.int().min(1).max(999);
const question = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("price"), items }),
  z.object({ intent: z.literal("take") }),
  z.object({ intent: z.literal("show") }),
  z.object({ intent: z.literal("bring"), items, mergeId: z.string().max(100) }),
  z.object({ intent: z.literal("add"), ...line, quantity, key: z.uuid().optional() }),
  z.object({ intent: z.literal("set"), ...line, quantity }),
  z.object({ intent: z.literal("remove"), ...line }),
]);

/** Of everybody behind one address: enough for all the guests of a carrier's, not for a machine. */
const guestsOf = localLimit("guest cart", 3000);

const SIGNED_OUT = { status: 401, json: { problem: "Not signed in" } } as const;

/** The signed-in shopper's cart: {version, lines}. */
export async function get(request: Request): Promise<ApiAnswer> {
  const user = await currentUser(request);
  return user ? { json: await getCart(db(), user.id) } : SIGNED_OUT;
}

/** One round trip: {cart} for a question, {change} or {problem} for a change, {merged} for a guest cart that is brought along, {pieces} that were added without script and are the script's from now on. A guest's lines are priced without being kept. */
export async function post(request: Request): Promise<ApiAnswer> {
  const asked = question.safeParse(readStorableJson(await request.text()));
  if (!asked.success) return { status: 400, json: { problem: "This is no change of a cart." } };
  const wanted = asked.data;
  if (wanted.intent === "price" || wanted.intent === "take") {
    const limited = guestsOf(addressOf(request));
    if (!limited.ok) return tooOften(limited.retryAfter);
  }
  if (wanted.intent === "price") return { json: { cart: await priceGuestCart(db(), wanted.items) } };
  if (wanted.intent === "take")
    return { json: await describeNoScriptItems(db(), request), headers: { "Set-Cookie": clearNoScriptItems() } };
  const user = await currentUser(request);
  if (!user) return SIGNED_OUT;
  if (wanted.intent === "show") return { json: { cart: await getCart(db(), user.id) } };
  if (wanted.intent === "bring") {
    const { mergeId } = wanted;
    return {
      json: { merged: await bringGuestCart(db(), user.id, { guestCart: JSON.stringify(wanted.items), mergeId }) },
    };
  }
  if (wanted.intent === "remove") return { json: { change: await removeFromCart(db(), user.id, wanted) } };
  return { json: await (wanted.intent === "add" ? addToCart : setQuantity)(db(), user.id, wanted) };
}

function tooOften(retryAfter: number): ApiAnswer {
  return { status: 429, json: { problem: messages.form.tooOften }, headers: { "Retry-After": String(retryAfter) } };
}
