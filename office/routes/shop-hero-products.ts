import type { ClientLoaderFunctionArgs, LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { searchProducts } from "#app/owner/catalog/product-list.server.ts";
import { answerOrNoteAway } from "../connection/away.browser.ts";
import { requirePermission } from "../http/staff.server.ts";

const MOST = 20;

/** Products for the link of a slide or for a section, found by words of their titles. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const text = (new URL(request.url).searchParams.get("q") ?? "").slice(0, 100);
  const { rows } = await searchProducts(db(), { view: "published", sort: "shop", text: text || undefined }, {}, MOST);
  return rows.map(({ id, title }) => ({ id, title }));
}

export function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  return answerOrNoteAway(() => serverLoader<typeof loader>(), []);
}
