import path from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import {
  type ServerBuild,
  UNSAFE_withComponentProps as withComponentProps,
  UNSAFE_withErrorBoundaryProps as withErrorBoundaryProps,
} from "react-router";

type Component = Parameters<typeof withComponentProps>[0];
type Boundary = Parameters<typeof withErrorBoundaryProps>[0];
export type PageModule = {
  default?: Component;
  ErrorBoundary?: Boundary;
  Layout?: unknown;
  loader?: unknown;
  action?: unknown;
};
export type BuiltRoute = { id: string; parentId?: string; path?: string; index?: boolean; module: PageModule };

/**
 * A build of one page without script files, like those that the router makes: the page's module at the path `/`.
 * `entry` renders the document.
 */
export function buildOfOnePage(entry: unknown, module: PageModule): ServerBuild {
  return buildOf(entry, [{ id: "root", path: "", module }]);
}

/** A build of an app without script files, like those that the router makes, with all of the app's routes. */
export async function buildOfApp(folder: "app" | "office"): Promise<ServerBuild> {
  return buildOf(await load(folder, "entry.server.tsx"), await routesOf(folder));
}

/** Each route of an app with its module, the root first. */
export async function routesOf(folder: "app" | "office"): Promise<BuiltRoute[]> {
  const { default: config } = await load<{ default: RouteConfigEntry[] }>(folder, "routes.ts");
  const ofEntries = async (entries: RouteConfigEntry[], parentId: string): Promise<BuiltRoute[]> => {
    const routes = entries.map(async ({ file, path, index, children = [] }) => {
      const id = file.replace(/\.tsx?$/, "");
      return [{ id, parentId, path, index, module: await load(folder, file) }, ...(await ofEntries(children, id))];
    });
    return (await Promise.all(routes)).flat();
  };
  return [{ id: "root", path: "", module: await load(folder, "root.tsx") }, ...(await ofEntries(config, "root"))];
}

const load = <Module = PageModule>(folder: string, file: string): Promise<Module> =>
  import(/* @vite-ignore */ path.resolve(folder, file));

function buildOf(entry: unknown, routes: BuiltRoute[]): ServerBuild {
  const manifest = routes.map(({ module, ...route }) => {
    const has = { hasLoader: Boolean(module.loader), hasAction: Boolean(module.action), hasErrorBoundary: false };
    return { ...route, ...has, module: `/assets/${route.id}.js` };
  });
  const byId = <Route extends { id: string }>(all: Route[]) =>
    Object.fromEntries(all.map((route) => [route.id, route]));
  return {
    entry: { module: entry },
    routes: byId(routes.map((route) => ({ ...route, module: withProps(route.module) }))),
    assets: {
      entry: { module: "/assets/entry.client.js", imports: [] },
      routes: byId(manifest),
      url: "/assets/manifest.js",
      version: "1",
    },
    basename: "/",
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    allowedActionOrigins: undefined,
    unstable_getCriticalCss: undefined,
    routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  } as unknown as ServerBuild;
}

/** Passes each component the data of its page, as the router's build does. */
function withProps({ default: page, ErrorBoundary, ...module }: PageModule): PageModule {
  return {
    ...module,
    ...(page && { default: withComponentProps(page) }),
    ...(ErrorBoundary && { ErrorBoundary: withErrorBoundaryProps(ErrorBoundary) }),
  };
}
