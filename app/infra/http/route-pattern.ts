/** The pattern of a URL's route (`/order/:reference`), `other` where it has none: as many values as there are routes, whatever is asked for. */
export type RouteOf = (url: string) => string;

type Route = { path?: string; parentId?: string };

/** The patterns of the router's routes, by the ids under which it keeps them; those that catch everything else are left out. */
export function pagePatterns(routes: Record<string, Route | undefined>): string[] {
  const full = ({ path = "", parentId = "" }: Route): string => {
    const parent = routes[parentId];
    return [parent && full(parent), path].filter(Boolean).join("/");
  };
  return Object.values(routes).flatMap((route) => (!route || route.path === "*" ? [] : `/${full(route)}`));
}

/** Finds the pattern among these; `:name` stands for one part of the path, `*` for the rest. Letters count the same in both cases, as in the router. */
export function routeMatcher(patterns: string[]): RouteOf {
  const [fixed, open] = [false, true].map((isOpen) => patterns.filter((pattern) => /[:*]/.test(pattern) === isOpen));
  const exact = new Map(fixed?.map((pattern) => [pattern.toLowerCase(), pattern]));
  const expressions = (open ?? []).map((pattern) => {
    const expression = pattern.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+").replaceAll("*", ".*");
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

/** Without the query, a slash at the end, and what the router's requests of a page's data end with. */
function pathOf(url: string): string {
  const [whole = ""] = url.split("?", 1);
  const path = whole.endsWith(".data") ? whole.replace(DATA, "") : whole;
  return (path.endsWith("/") ? path.slice(0, -1) : path) || "/";
}
