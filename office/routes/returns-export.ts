import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { type FoundReturn, searchReturns } from "#app/owner/returns/search.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { returnSearchOf } from "../returns/filters.server.ts";

/** The filtered list of returns, all pages, as CSV. */
export function loader({ request, context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "export");
  const filters = new URL(request.url).searchParams;
  const table = { name: "returns", fields: COLUMNS, staff, filters };
  return csvResponse(table, (...page) => searchReturns(db(), returnSearchOf(filters), ...page), rowOf);
}

const COLUMNS = ["return", "order", "asked", "customer", "email", "what", "why", "pieces", "state", "until", "naira"];

function rowOf({ number, orderNumber, askedAt, standing, dueBy, kobo, ...one }: FoundReturn) {
  const { customer, email, what, why, pieces } = one;
  const sum = { state: standing.text, until: dueBy, naira: kobo / 100 };
  return { return: number, order: orderNumber, asked: shopTime(askedAt), customer, email, what, why, pieces, ...sum };
}
