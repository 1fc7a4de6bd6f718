import { currentUser } from "#app/account/session/store.server.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { subscribe } from "#app/infra/database/listener.server.ts";
import { eventStream } from "#app/infra/http/event-stream.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { log } from "#app/infra/log.server.ts";

/** The signed-in shopper's cart as it changes anywhere: {version, count} now and after each change. Ends with the session. */
export async function get(request: Request): Promise<ApiAnswer> {
  const user = await currentUser(request);
  if (!user) return { status: 401, json: { problem: "Not signed in" } };
  if (request.method === "HEAD") return new Response(null); // a stream that nobody reads would never be known to have ended
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
