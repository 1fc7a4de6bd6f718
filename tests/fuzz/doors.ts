import type { z } from "zod";
import { api } from "#app/api.ts";
import { type BuiltRoute, routesOf } from "#tests/support/router-build.ts";
import type { AppName } from "./apps.ts";

/** One entry point: a path and method. */
export type Door = {
  app: AppName;
  method: "GET" | "POST";
  path: string;
  /** The schemas of the forms that an office page sends to this door, by intent. */
  intents?: Record<string, z.ZodType>;
  /** The door is no route of the router, and has no data for scripts. */
  isBeside?: true;
};

/** Paths besides the pages and the API, from the two edge.server.ts. */
const BESIDE: Record<AppName, string[]> = {
  shop: [
    "GET /assets/:file",
    "GET /images/:file",
    "GET /healthz",
    "GET /readyz",
    "GET /status",
    "POST /webhooks/paystack",
    "GET /favicon.svg",
  ],
  office: [
    "GET /assets/:file",
    "GET /images/:file",
    "GET /healthz",
    "GET /fonts/:file",
    "GET /favicon.svg",
    "GET /office.webmanifest",
    "GET /office-worker.js",
  ],
};

type Changes = { changes?: Record<string, { fields: z.ZodType }> };

/** Every entry point of an app, from the app's own routes. */
export async function doorsOf(app: AppName): Promise<Door[]> {
  const routes = await routesOf(app === "shop" ? "app" : "office");
  const pages = routes.flatMap((route): Door[] => {
    const path = pathOf(route, routes);
    if (path === undefined) return [];
    const { default: page, loader, action } = route.module;
    const { changes } = (action ?? {}) as Changes;
    const intents = changes && Object.fromEntries(Object.entries(changes).map(([name, { fields }]) => [name, fields]));
    return [
      ...(page || loader ? [{ app, method: "GET" as const, path }] : []),
      ...(action ? [{ app, method: "POST" as const, path, intents }] : []),
    ];
  });
  const asked = api.flatMap(({ path, get, post }): Door[] => [
    ...(get ? [{ app, method: "GET" as const, path, isBeside: true as const }] : []),
    ...(post ? [{ app, method: "POST" as const, path, isBeside: true as const }] : []),
  ]);
  const beside = BESIDE[app].map((one): Door => {
    const [method, path = ""] = one.split(" ");
    return { app, method: method === "POST" ? "POST" : "GET", path, isBeside: true };
  });
  return [...pages, ...(app === "shop" ? asked : []), ...beside];
}

export const nameOf = ({ app, method, path }: Pick<Door, "app" | "method" | "path">) => `${app} ${method} ${path}`;

/** Undefined for routes that only wrap others. */
function pathOf(route: BuiltRoute, routes: BuiltRoute[]): string | undefined {
  if (route.path === undefined && !route.index) return;
  if (route.id === "root") return;
  const parent = routes.find(({ id }) => id === route.parentId);
  return `${(parent && pathOf(parent, routes)) ?? ""}/${route.path ?? ""}`;
}
