import { currentUser } from "#app/account/session/store.server.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { subscribe } from "#app/infra/database/listener.server.ts";
import { eventStream } from "#app/infra/http/event-stream.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { log } from "#app/infra/log.server.ts";

/**
 * An event stream with the signed-in shopper's cart: {version, count} at the beginning and after each change anywhere.
 * It ends with the session.
 */
export async function get(request: Request): Promise<ApiAnswer> {
  const user = await currentUser(request);
  if (!user) return { status: 401, json: { problem: "Not signed in" } };
  // A HEAD request must not open a stream: nobody reads it, so its end would never be noticed.
  if (request.method === "HEAD") return new Response(null);
  return eventStream(request.signal, user.id, (send, end) => {
    let over = false;
    const tell = async () => {
      try {
        if (!(await currentUser(request))) return over || end();
        const now = await countCart(db(), user.id);
        if (!over) send(now);
      } catch (error) {
        log.warn({ err: error }, "a live cart ended");
        if (!over) end();
      }
    };
    const stop = subscribe(`cart:${user.id}`, tell);
    void tell();
    return () => {
      over = true;
      stop();
    };
  });
}
