import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { countKinds } from "#app/catalog/catalog.server.ts";
import { linkedCollections } from "#app/catalog/collections/collections.server.ts";
import { FEEDS } from "#app/catalog/feeds/formats.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { inBusinessDays, packingDays, standardDays } from "#app/shipping/delivery-time.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";

/** The shop in a page of Markdown for assistants that shop for somebody, in the format of llmstxt.org. */
export async function loader() {
  const settings = shopSettings(db());
  const [kinds, collections, { contact, brand = SHIPPED_BRAND, numbers = SHIPPED_NUMBERS }] = await Promise.all([
    settings.then(() => countKinds(db())), // the kinds are known once the settings are read
    linkedCollections(db()),
    settings,
  ]);
  const link = (name: string, path: string, about: string) =>
    `- [${name}](${new URL(path, env.publicUrl).href})${about && `: ${about}`}`;
  const { nigeria, abroad } = standardDays(numbers);
  const lines = [
    `# ${brand.name}`,
    "",
    `> ${capital(brand.tagline)}, in sizes ${SIZE_RANGE}. Delivered in Nigeria and abroad. Prices are in US dollars; cards are charged in naira (NGN), at the rate that the checkout shows.`,
    "",
    `Orders leave the shop within ${inBusinessDays(packingDays(numbers))}. Delivery then takes ${inBusinessDays(nigeria)} in Nigeria and ${inBusinessDays(abroad)} abroad. Items can be returned within ${numbers.returnDays} days of delivery, damage is reported within ${numbers.damageHours} hours; items marked as final sale can't be returned. To pay, a person needs an account, which the checkout offers to make.`,
    "",
    "## Shop",
    "",
    link("All products", "/shop", "filters by kind, size, colour and price as links"),
    ...kinds.map(({ id, name }) => link(name, collectionPath(id), "")),
    ...collections.map(({ id, name }) => link(name, collectionPath(id), "a collection")),
    "",
    "## Data",
    "",
    link("Sitemap", "/sitemap.xml", "every page that the shop shows"),
    ...Object.entries(FEEDS).map(([file, { title }]) =>
      link(
        `Products for ${title}`,
        `/feeds/${file}`,
        "each size with its price in naira and whether it's in stock; with ?currency=USD in dollars",
      ),
    ),
    "",
    "## Policies",
    "",
    link("Returns", "/returnpolicy", ""),
    link("Delivery", "/shipping-policy", "what it costs to each place"),
    link("Privacy", "/privacy-policy", ""),
    link("About", "/about", ""),
    "",
    `Questions: ${contact.email}`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
