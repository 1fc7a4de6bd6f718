import type { ServerBuild } from "react-router";

type PageModule = { default: unknown; Layout?: unknown; loader?: unknown; action?: unknown };

/** What the router's own build of one page without script files would be: its module, behind the path `/`. `entry` writes its document. */
export function buildOfOnePage(entry: unknown, module: PageModule) {
  const route = { id: "root", path: "", hasLoader: Boolean(module.loader), hasAction: Boolean(module.action) };
  return {
    entry: { module: entry },
    routes: { root: { ...route, module } },
    assets: {
      entry: { module: "/assets/entry.client.js", imports: [] },
      routes: { root: { ...route, module: "/assets/root.js", hasErrorBoundary: false } },
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
    routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  } as unknown as ServerBuild;
}
