import type { ApiRoute } from "#app/infra/http/server/edge.server.ts";
import * as cart from "./routes/api.cart.ts";
import * as delivery from "./routes/api.delivery.ts";
import * as live from "./routes/api.live.ts";
import * as me from "./routes/api.me.ts";
import * as payment from "./routes/api.payment.ts";
import * as suggestions from "./routes/api.suggestions.ts";
import * as feed from "./routes/feed.ts";
import * as linkPicture from "./routes/link-picture.ts";

/**
 * The endpoints that are answered before the router, since they need nothing of it: those that the pages' own scripts
 * call, which get more requests than anything else, the product feeds, which are streams, and the pictures of links.
 */
export const api: ApiRoute[] = [
  { path: "/api/me", ...me },
  { path: "/api/delivery", ...delivery },
  { path: "/api/cart", ...cart },
  { path: "/api/live", ...live },
  { path: "/api/suggestions", ...suggestions },
  { path: "/api/payments/:reference", ...payment },
  { path: "/feeds/:file", ...feed },
  { path: "/link/:file", ...linkPicture },
  { path: "/link/:place/:file", ...linkPicture },
];
