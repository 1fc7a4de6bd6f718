import { matchRoutes, type RouteObject } from "react-router";
import { type Away, whyFailed } from "./away.browser.ts";

/** A route in the router's table of all screens: its scripts are listed with it. */
type Screen = RouteObject & {
  module: string;
  clientActionModule?: string;
  clientLoaderModule?: string;
  imports?: string[];
  /** Whether it shows something: the address of a form alone, such as /sign-out, does not. */
  hasDefaultExport: boolean;
};

/** Those that the browser's cache holds. */
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

/** Whether a screen opens at this path, other than at the address of a form. */
export function isScreen(pathname: string): boolean {
  return screenAt(pathname)?.hasDefaultExport ?? false;
}

/** Whether the screen at this path can be opened without a script from the network. */
export function hasScripts(pathname: string): boolean {
  return scriptsOf(pathname).every((one) => had.has(one));
}

/** The screen at this path runs. */
export function noteScripts(pathname: string): void {
  for (const one of scriptsOf(pathname)) had.add(one);
}

/** Brings the scripts of the screen at this path into the browser's cache; the answer says why they cannot be had. */
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
  had.add(script); // also one that is gone with a newer version of the office: the router then loads the document anew
}
