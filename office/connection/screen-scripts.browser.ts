import { matchRoutes, type RouteObject } from "react-router";
import { type Away, whyFailed } from "./away.browser.ts";

/** A route in the router's manifest, with the URLs of its scripts. */
type Screen = RouteObject & {
  module: string;
  clientActionModule?: string;
  clientLoaderModule?: string;
  imports?: string[];
  /** False for routes that only take forms, such as /sign-out. */
  hasDefaultExport: boolean;
};

/** The URLs of the scripts that are in the browser's cache. */
const had = new Set<string>();

function screenAt(pathname: string): Screen | undefined {
  const manifest = Reflect.get(window, "__reactRouterManifest") as { routes: Record<string, Screen> } | undefined;
  const screens = Object.values(manifest?.routes ?? {}).filter(({ path, index }) => path || index);
  return matchRoutes(screens, pathname)?.[0]?.route;
}

function scriptsOf(pathname: string): string[] {
  const screen = screenAt(pathname);
  if (!screen) return [];
  const { module, clientActionModule, clientLoaderModule, imports = [] } = screen;
  return [module, clientActionModule, clientLoaderModule, ...imports].filter((one) => one !== undefined);
}

/** Whether the route at this path shows a screen. Other routes only take forms. */
export function isScreen(pathname: string): boolean {
  return screenAt(pathname)?.hasDefaultExport ?? false;
}

/** Whether the screen at this path can be opened without a script from the network. */
export function hasScripts(pathname: string): boolean {
  return scriptsOf(pathname).every((one) => had.has(one));
}

/** Records that the screen at this path runs, so its scripts are cached. */
export function noteScripts(pathname: string): void {
  for (const one of scriptsOf(pathname)) had.add(one);
}

/** Fetches the scripts of the screen at this path into the browser's cache. Returns the cause if that fails. */
export async function fetchScripts(
  pathname: string,
  priority: RequestPriority = "auto",
): Promise<Away["why"] | undefined> {
  try {
    const missing = scriptsOf(pathname).filter((one) => !had.has(one));
    await Promise.all(missing.map((one) => fetchScript(one, priority)));
  } catch (error) {
    return whyFailed(error);
  }
}

async function fetchScript(script: string, priority: RequestPriority): Promise<void> {
  const answer = await fetch(script, { priority });
  await answer.blob();
  if (answer.status >= 500) throw new Error(`${script}: ${answer.status}`);
  had.add(script); // also after a 404, if a newer office has no such script: the router then reloads the document
}
