import { readFile } from "node:fs/promises";
import path from "node:path";
import type { MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import { rebranded, SHIPPED_BRAND } from "#app/brand/brand.ts";
import { knownBrand } from "#app/infra/settings/shop-settings.server.ts";

/** The static files that hold the shop's name: of the shop, and of the office. */
export const NAMED_FILES = {
  shop: ["/manifest.webmanifest", "/offline.html", "/offline.js"],
  office: ["/office.webmanifest", "/office-worker.js"],
};

/**
 * Serves static files that hold the shop's name with the name as it was last read: strangers ask for them, too, and
 * cost the database nothing. With the name that the shop comes with they are left to the next handler, which serves
 * them as they are.
 */
export function serveNamed(folder: string): MiddlewareHandler {
  return async (c, next) => {
    const brand = knownBrand();
    if (brand === SHIPPED_BRAND) return next();
    const text = await readFile(path.join(folder, c.req.path), "utf8");
    c.header("Content-Type", getMimeType(c.req.path));
    c.header("Cache-Control", "no-cache");
    return c.body(rebranded(text, c.req.path.endsWith(".html") ? "html" : "json", brand));
  };
}
