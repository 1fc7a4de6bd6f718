import { useEffect } from "react";
import { type DataStrategyResult, data, type MiddlewareFunction, replace, useLocation, useMatches } from "react-router";
import { forgetWanted, noteAway, noteBack, whyFailed } from "./away.browser.ts";

type Results = Record<string, DataStrategyResult>;

/** The open screen: its path with the query, and its last data by route id. */
let open: { path: string; results: Results } | undefined;
/** The scroll position to restore when a failed navigation has returned to the open screen. */
let goingBack: { y: number } | undefined;

/**
 * A layout's `clientMiddleware`. If loading fails, the open screen stays, since it may have unsaved input: a failed
 * reload keeps the former data, and a failed navigation is redirected back.
 */
export const keepScreen: MiddlewareFunction<Results> = async ({ request }, next) => {
  if (request.method !== "GET") return next();
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  if (goingBack && path === open?.path) return open.results;
  goingBack = undefined;
  const results = await next();
  if (request.signal.aborted) return results;
  const why = Object.values(results).map(whyOf).find(Boolean);
  const isOpen = path === open?.path;
  if (!why) {
    noteBack();
    if (!isOpen) forgetWanted();
    return results;
  }
  noteAway(why, isOpen ? undefined : path);
  if (!open) return why === "network" ? withStatus(results, NO_CONNECTION) : results;
  if (isOpen) return withFormer(results, open.results);
  goingBack = { y: scrollY };
  throw replace(open.path);
};

function whyOf({ type, result }: DataStrategyResult) {
  return type === "error" ? whyFailed(result) : undefined;
}

/** Replaces failed results with the former ones. */
function withFormer(results: Results, former: Results): Results {
  const kept = Object.entries(results).map(([id, one]) => [id, whyOf(one) ? (former[id] ?? NOTHING) : one]);
  return Object.fromEntries(kept);
}

/** Gives failed results a status, so that the error page can tell a lost connection from a bug. */
function withStatus(results: Results, status: number): Results {
  const marked = Object.entries(results).map(([id, one]) => [
    id,
    whyOf(one) ? { ...one, result: data(null, status) } : one,
  ]);
  return Object.fromEntries(marked);
}

const NO_CONNECTION = 504;
const NOTHING: DataStrategyResult = { type: "data", result: null };

/** Records the open screen for `keepScreen`. Used by the layout around all screens. */
export function useKeptScreen(): void {
  const { pathname, search, key } = useLocation();
  const matches = useMatches();
  useEffect(() => {
    const given = matches.map(({ id, loaderData }): [string, DataStrategyResult] => [
      id,
      { type: "data", result: loaderData ?? null },
    ]);
    open = { path: pathname + search, results: Object.fromEntries(given) };
    return () => {
      open = undefined;
    };
  }, [pathname, search, matches]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that a screen is opened
  useEffect(() => {
    if (goingBack) scrollTo(0, goingBack.y);
    goingBack = undefined;
  }, [key]);
}
