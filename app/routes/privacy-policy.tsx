import { PRIVACY_TEXT } from "#app/content/privacy.tsx";
import { textFor } from "#app/content/published.server.ts";
import { PageText } from "#app/content/text.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { brandIn, pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import { longDate } from "#app/ui/long-date.ts";
import type { Route } from "./+types/privacy-policy";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Privacy",
    description: `What ${brandIn(matches).name} keeps about you, why, and for how long.`,
  });

export async function loader({ request }: Route.LoaderArgs) {
  const own = await textFor(db(), "privacy", request);
  return { own: own && { text: own.blocks, effective: longDate(own.publishedAt, env.SHOP_TIMEZONE) } };
}

export default function PrivacyPolicy({ loaderData: { own } }: Route.ComponentProps) {
  return (
    <PolicyPage title="Privacy Policy" note={`Effective ${own?.effective ?? "16 March 2025"}`}>
      {own ? <PageText blocks={own.text} /> : PRIVACY_TEXT}
    </PolicyPage>
  );
}
