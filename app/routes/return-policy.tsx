import { numberedText } from "#app/content/published.server.ts";
import { RETURNS_TEXT } from "#app/content/returns.tsx";
import { PageText } from "#app/content/text.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { inNumbers } from "#app/numbers/numbers.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import type { Route } from "./+types/return-policy";

const ABOUT = "Return or exchange within 14 days of delivery. Refunds within 7 business days after approval.";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, { title: "Returns and exchanges", description: inNumbers(ABOUT, loaderData?.numbers) });

export function loader() {
  return numberedText(db(), "returns");
}

export default function ReturnPolicy({ loaderData: { text } }: Route.ComponentProps) {
  return <PolicyPage title="Return Policy">{text ? <PageText blocks={text} /> : RETURNS_TEXT}</PolicyPage>;
}
