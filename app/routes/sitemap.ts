import { sitemapResponse } from "#app/catalog/sitemap.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";

export const loader = () => sitemapResponse(db(), env.publicUrl.origin);
