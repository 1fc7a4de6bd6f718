import { env } from "#app/infra/env.server.ts";

const CLOSED = [
  "/account",
  "/api/",
  "/backInStock",
  "/Cart",
  "/checkout",
  "/demo/",
  "/login",
  "/logout",
  "/order/",
  "/register",
  "/resetPassword",
  "/verification",
];

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
