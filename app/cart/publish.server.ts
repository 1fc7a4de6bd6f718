import type { Db } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";

/** Notifies the shopper's other tabs and devices of a changed cart. To be called after the commit. */
export function publishCart(on: Db, userId: string): Promise<void> {
  return publish(on, `cart:${userId}`);
}
