/**
 * The pattern of a URL's route (`/order/:reference`), or `other`: so there are only as many values as routes, whatever
 * is requested.
 */
export type RouteOf = (url: string) => string;

export type PageRoute = { path?: string; parentId?: string };
type Routes<One extends PageRoute> = Record<string, One | undefined>;

/**
 * The patterns of the router's routes, which are given by their ids. Routes that catch everything else are left out.
 */
export function pagePatterns(routes: Routes<PageRoute>): string[] {
  return routesByPattern(routes).map(([pattern]) => pattern);
}

/** The same patterns, each with its route. A page and its layout have the same pattern. */
export function routesByPattern<One extends PageRoute>(routes: Routes<One>): [pattern: string, route: One][] {
  const full = ({ path = "", parentId = "" }: PageRoute): string => {
    const parent = routes[parentId];
    return [parent && full(parent), path].filter(Boolean).join("/");
  };
  return Object.values(routes).flatMap((route) => (!route || route.path === "*" ? [] : [[`/${full(route)}`, route]]));
}

/**
 * Finds a URL's pattern among these; `:name` stands for one part of the path, `/:name?` for one or none, `*` for the
 * rest. Case is ignored, as in the router.
 */
export function routeMatcher(patterns: string[]): RouteOf {
  const [fixed, open] = [false, true].map((isOpen) => patterns.filter((pattern) => /[:*]/.test(pattern) === isOpen));
  const exact = new Map(fixed?.map((pattern) => [pattern.toLowerCase(), pattern]));
  const expressions = (open ?? []).map((pattern) => {
    const expression = pattern
      .replaceAll(".", "\\.")
      .replaceAll("*", ".*")
      .replaceAll(/\/:\w+\?/g, "(?:/[^/]+)?")
      .replaceAll(/:\w+/g, "[^/]+");
    return [new RegExp(`^${expression}/?$`, "i"), pattern] as const;
  });
  return (url) => {
    const path = pathOf(url);
    return (
      exact.get(path) ?? exact.get(path.toLowerCase()) ?? expressions.find(([one]) => one.test(path))?.[1] ?? "other"
    );
  };
}

const DATA = /(?:\/_)?\.data$/;

/** The path without the query, a slash at the end, and the suffix of the router's requests for data. */
function pathOf(url: string): string {
  const [whole = ""] = url.split("?", 1);
  const path = whole.endsWith(".data") ? whole.replace(DATA, "") : whole;
  return (path.endsWith("/") ? path.slice(0, -1) : path) || "/";
}
