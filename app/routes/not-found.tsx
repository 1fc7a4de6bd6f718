import { data } from "react-router";
import { listCards } from "#app/catalog/catalog.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { NotHere } from "#app/catalog/search/not-here.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/not-found";

const PRODUCTS = 4;

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Page not found", hidden: true });

export async function loader() {
  const [products, { rate }] = await Promise.all([listCards(db(), {}, PRODUCTS), rateInForce(db())]);
  return data({ products, rate }, { status: 404 });
}

export default function NotFound({ loaderData }: Route.ComponentProps) {
  return <NotHere title="Page not found" text="The link may be old, or the page has moved." {...loaderData} />;
}
