import type { Handler, MiddlewareHandler } from "hono";
import { securityHeaders } from "../headers.server.ts";
import { type PageRoute, routeMatcher, routesByPattern } from "../route-pattern.ts";

/** The methods of a path that accepts no form. */
export const READING = ["GET", "HEAD", "OPTIONS"];

/** The methods of a path; undefined if no pattern matches it. */
export type MethodsAt = (path: string) => string[] | undefined;

type Methods = [pattern: string, methods: string[]];

/** A pattern that is listed twice has the methods of both entries. */
export function methodsAt(table: Methods[]): MethodsAt {
  const methods = new Map<string, string[]>();
  for (const [pattern, more] of table) methods.set(pattern, [...new Set([...(methods.get(pattern) ?? []), ...more])]);
  const routeOf = routeMatcher([...methods.keys()]);
  return (path) => methods.get(routeOf(path));
}

/** The methods of the router's pages: a page with an action accepts forms. */
export function methodsOfPages(routes: Record<string, (PageRoute & { module: object }) | undefined>): Methods[] {
  return routesByPattern(routes).map(([pattern, { module }]) => [
    pattern,
    "action" in module ? [...READING, "POST"] : READING,
  ]);
}

/** Answers OPTIONS with the accepted methods, and any other request with 405. */
export function onlyTakes(methods: string[]): Handler {
  const headers = { ...securityHeaders, Allow: methods.join(", ") };
  return (c) =>
    c.req.method === "OPTIONS"
      ? c.body(null, 204, headers)
      : c.text("This address takes no such request.", 405, headers);
}

/**
 * Passes on requests whose method the path accepts. For an unknown path GET, HEAD and POST are passed on: the router
 * answers that there is no such page.
 */
export function refuseOtherMethods(methodsAt: MethodsAt): MiddlewareHandler {
  return async (c, next) => {
    const methods = methodsAt(c.req.path);
    const isTaken = c.req.method !== "OPTIONS" && (methods ?? [...READING, "POST"]).includes(c.req.method);
    return isTaken ? next() : onlyTakes(methods ?? READING)(c, next);
  };
}
