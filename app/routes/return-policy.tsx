import { numberedText } from "#app/content/published.server.ts";
import { returnsText } from "#app/content/returns.tsx";
import { PageText } from "#app/content/text.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { businessDays, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import type { Route } from "./+types/return-policy";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const { returnDays, refundDays } = loaderData?.numbers ?? SHIPPED_NUMBERS;
  const description = `Return or exchange within ${returnDays} days of delivery. Refunds within ${businessDays(refundDays)} after approval.`;
  return pageMeta(matches, { title: "Returns and exchanges", description });
};

export function loader({ request }: Route.LoaderArgs) {
  return numberedText(db(), "returns", request);
}

export default function ReturnPolicy({ loaderData: { text, numbers = SHIPPED_NUMBERS } }: Route.ComponentProps) {
  return <PolicyPage title="Return Policy">{text ? <PageText blocks={text} /> : returnsText(numbers)}</PolicyPage>;
}
