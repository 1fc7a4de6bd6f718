import type { Db } from "#app/infra/database/db.server.ts";
import { collectionPath, PUBLIC_PATHS, productPath } from "#app/ui/frame/paths.ts";
import { listCollectionIds } from "./collections/collections.server.ts";
import { pictureUrl } from "./product.ts";

/** The most products in one file, far below the 50,000 addresses and 50 MB that search engines read of one. */
const MOST_PRODUCTS = 20_000;

/**
 * The sitemap of the shop at the origin `site`: every page for everybody, products with their pictures and the day of
 * their last change. With more products than one file takes, an index of its parts; the first part has the other pages,
 * too. `part`: which part to give, from 1 on. Undefined if there is no such part.
 */
export async function sitemap(
  on: Db,
  site: string,
  part?: number,
  mostProducts = MOST_PRODUCTS,
): Promise<string | undefined> {
  const shown = on.selectFrom("products").where("hidden", "=", false);
  const { count } = await shown.select((of) => of.fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
  const parts = Math.max(1, Math.ceil(Number(count) / mostProducts));
  if (part === undefined && parts > 1) return index(site, parts);
  const number = part ?? 1;
  if (number < 1 || number > parts) return;
  const products = await shown
    .select(["id", "updatedAt", "images"])
    .orderBy("id")
    .limit(mostProducts)
    .offset((number - 1) * mostProducts)
    .execute();
  const others = number === 1 ? [...PUBLIC_PATHS, ...(await listCollectionIds(on)).map(collectionPath)] : [];
  const entries = [
    ...others.map((path) => `<url><loc>${address(site, path)}</loc></url>`),
    ...products.map(({ id, updatedAt, images }) => {
      const pictures = images.map(
        (image) => `<image:image><image:loc>${address(site, pictureUrl(image, 1200, "jpg"))}</image:loc></image:image>`,
      );
      return `<url><loc>${address(site, productPath(id))}</loc><lastmod>${updatedAt.toISOString().slice(0, 10)}</lastmod>${pictures.join("")}</url>`;
    }),
  ];
  return document("urlset", entries, ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"');
}

/** The sitemap as a response. Status 404 if there is no such part. */
export async function sitemapResponse(on: Db, site: string, part?: number): Promise<Response> {
  const text = await sitemap(on, site, part);
  if (text === undefined) return new Response("There’s no such part.\n", { status: 404 });
  return new Response(text, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}

function index(site: string, parts: number): string {
  const entries = Array.from({ length: parts }, (_, at) => {
    return `<sitemap><loc>${address(site, `/sitemap/${at + 1}.xml`)}</loc></sitemap>`;
  });
  return document("sitemapindex", entries);
}

function document(name: string, entries: string[], namespaces = ""): string {
  const lines = entries.map((entry) => `  ${entry}\n`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespaces}>\n${lines}</${name}>\n`;
}

const address = (site: string, path: string) => new URL(path, site).href.replaceAll("&", "&amp;");
