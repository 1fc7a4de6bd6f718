import { listCollectionIds } from "#app/catalog/collections/collections.server.ts";
import { listProductIds } from "#app/catalog/product-pages.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { collectionPath, PUBLIC_PATHS, productPath } from "#app/ui/frame/paths.ts";

export async function loader() {
  const [collections, products] = await Promise.all([listCollectionIds(db()), listProductIds(db())]);
  const urls = [...PUBLIC_PATHS, ...collections.map(collectionPath), ...products.map(productPath)];
  const entries = urls
    .map((url) => `  <url><loc>${new URL(url, env.publicUrl).href.replaceAll("&", "&amp;")}</loc></url>\n`)
    .join("");
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
  return new Response(body, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
