import { data } from "react-router";
import { z } from "zod";
import { currentUser } from "#app/account/session.server.ts";
import { addToCart, getCart, priceGuestCart, removeFromCart, setQuantity } from "#app/cart/cart.server.ts";
import { readGuestCart } from "#app/cart/guest-item.ts";
import { db } from "#app/infra/db.server.ts";
import type { Route } from "./+types/api.cart";

const line = { id: z.string().min(1).max(100), size: z.string().min(1).max(8) };
const quantity = z.int().min(1).max(999);
const question = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("price"), items: z.array(z.unknown()).max(100) }),
  z.object({ intent: z.literal("show") }),
  z.object({ intent: z.literal("add"), ...line, quantity }),
  z.object({ intent: z.literal("set"), ...line, quantity }),
  z.object({ intent: z.literal("remove"), ...line }),
]);

/** The signed-in shopper's cart: {version, lines}. */
export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return data({ problem: "Not signed in" }, { status: 401 });
  return Response.json(await getCart(db(), user.id));
}

/** One round trip: {cart} for a question, {change} or {problem} for a change. A guest's lines are priced without being kept. */
export async function action({ request }: Route.ActionArgs) {
  const asked = question.safeParse(await request.json().catch(() => undefined));
  if (!asked.success) return Response.json({ problem: "This is no change of a cart." }, { status: 400 });
  const wanted = asked.data;
  if (wanted.intent === "price")
    return Response.json({ cart: await priceGuestCart(db(), readGuestCart(JSON.stringify(wanted.items))) });
  const user = await currentUser(request);
  if (!user) return Response.json({ problem: "Not signed in" }, { status: 401 });
  if (wanted.intent === "show") return Response.json({ cart: await getCart(db(), user.id) });
  if (wanted.intent === "remove") return Response.json({ change: await removeFromCart(db(), user.id, wanted) });
  return Response.json(await (wanted.intent === "add" ? addToCart : setQuantity)(db(), user.id, wanted));
}
