import type { RequestListener } from "node:http";
import { inSeconds } from "#app/infra/durations.ts";
import type { RouteOf } from "../http/route-pattern.ts";
import { requests } from "./registry.server.ts";

const METHODS = new Set(["GET", "HEAD", "POST"]);
const CLIENT_GONE = 499;

/** Measures each request that the listener answers. */
export function measured(listener: RequestListener, routeOf: RouteOf): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    const { method = "", url = "" } = request;
    response.once("close", () => {
      const labels = {
        method: METHODS.has(method) ? method : "other",
        route: routeOf(url),
        status: response.headersSent ? response.statusCode : CLIENT_GONE,
      };
      requests.observe(labels, inSeconds(performance.now() - startedAt));
    });
    listener(request, response);
  };
}
