import type { ApiRoute } from "#app/infra/http/server/edge.server.ts";
import * as cart from "./routes/api.cart.ts";
import * as currency from "./routes/api.currency.ts";
import * as delivery from "./routes/api.delivery.ts";
import * as live from "./routes/api.live.ts";
import * as me from "./routes/api.me.ts";
import * as payment from "./routes/api.payment.ts";
import * as suggestions from "./routes/api.suggestions.ts";

/** What the pages' own scripts ask, one visitor at a time. Asked more than anything else and in need of nothing that the router does: it stands before it. */
export const api: ApiRoute[] = [
  { path: "/api/me", ...me },
  { path: "/api/currency", ...currency },
  { path: "/api/delivery", ...delivery },
  { path: "/api/cart", ...cart },
  { path: "/api/live", ...live },
  { path: "/api/suggestions", ...suggestions },
  { path: "/api/payments/:reference", ...payment },
];
