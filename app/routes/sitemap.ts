import { sitemap } from "#app/catalog/sitemap.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Route } from "./+types/sitemap";

/** `/sitemap.xml`, and with many products its parts, such as `/sitemap/2.xml`. */
export async function loader({ params }: Route.LoaderArgs) {
  const { part } = params as { part?: string };
  const [, number] = /^([1-9]\d{0,5})\.xml$/.exec(part ?? "") ?? [];
  const isMissing = part !== undefined && number === undefined;
  const text = isMissing ? undefined : await sitemap(db(), env.publicUrl.origin, number ? Number(number) : undefined);
  if (text === undefined) return new Response("There is no such part.\n", { status: 404 });
  return new Response(text, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
