import { env } from "#app/infra/env.server.ts";

/**
 * No page is disallowed: a search engine lists a disallowed page by its URL alone, because it cannot read the page's
 * noindex.
 */
const CLOSED = ["/api/"];

export function loader() {
  const lines = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${new URL("/sitemap.xml", env.publicUrl).href}`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
