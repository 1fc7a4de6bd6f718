import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { listOffers, type OfferRow } from "#app/owner/offers/offers.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** All offers, ended ones too, as CSV: their terms, uses and sums, without their codes. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "discounts");
  const page = async () => ({ rows: await listOffers(db()) });
  return csvResponse({ name: "offers", fields: COLUMNS, staff }, page, rowOf);
}

const COLUMNS = [
  "offer",
  "terms",
  "state",
  "from",
  "until",
  "codes",
  "uses",
  "most uses",
  "given dollars",
  "sold dollars",
];

function rowOf({ name, sentence, state, startsAt, endsAt, codes, uses, mostUses, givenCents, takenCents }: OfferRow) {
  return {
    offer: name,
    terms: sentence,
    state,
    from: shopTime(startsAt),
    until: endsAt && shopTime(endsAt),
    codes,
    uses,
    "most uses": mostUses,
    "given dollars": givenCents / 100,
    "sold dollars": takenCents / 100,
  };
}
