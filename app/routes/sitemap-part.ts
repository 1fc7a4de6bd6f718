import { sitemapResponse } from "#app/catalog/sitemap.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Route } from "./+types/sitemap-part";

/** A part of the sitemap, such as `/sitemap/2.xml`. */
export function loader({ params }: Route.LoaderArgs): Promise<Response> {
  const [, number = "0"] = /^([1-9]\d{0,5})\.xml$/.exec(params.part) ?? [];
  return sitemapResponse(db(), env.publicUrl.origin, Number(number));
}
