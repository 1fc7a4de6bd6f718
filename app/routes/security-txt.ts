import { db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { knownShopSettings, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { mailtoHref } from "#app/ui/frame/paths.ts";

/** The time until the file expires (RFC 9116, 2.5.5). */
const HOLDS_FOR = 90 * DAY;

/** The address for reports of vulnerabilities. */
export async function loader() {
  const { contact } = await shopSettings(db()).catch(knownShopSettings);
  const lines = [
    `Contact: ${mailtoHref(contact.email)}`,
    `Expires: ${new Date(Date.now() + HOLDS_FOR).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${new URL("/.well-known/security.txt", env.publicUrl).href}`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
