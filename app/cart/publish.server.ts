import type { Db } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";

/** Tells the shopper's other tabs and devices that the cart has changed; for after the commit. */
export function publishCart(on: Db, userId: string): Promise<void> {
  return publish(on, `cart:${userId}`);
}
