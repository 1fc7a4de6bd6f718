import { isDeepStrictEqual } from "node:util";
import type { AuditRow } from "#app/owner/audit.server.ts";
import { inShopTime } from "#app/owner/shop-time.server.ts";
import { type Granted, may } from "#app/staff/roles.ts";

export type AuditLine = ReturnType<typeof lineOf>;

/** A row of the audit log as the office shows it to this role: the changed fields only, and the subject's URL. */
export function lineOf(row: AuditRow, role: Granted) {
  return { ...row, ...differing(timed(row.before), timed(row.after)), to: placeOf(row, role) };
}

/**
 * One side of a change, with times in the shop's time zone and without keys of other rows, which mean nothing to
 * readers.
 */
function timed(side: object | null): Record<string, unknown> | null {
  return side && JSON.parse(inShopTime(JSON.stringify({ ...side, keys: undefined, takenBack: undefined })));
}

/**
 * The URL of a change's subject. A deleted product or customer still gets a link; its screen reports that it does not
 * exist.
 */
function placeOf({ subjectKind, subjectId, number }: AuditRow, role: Granted) {
  const id = encodeURIComponent(subjectId);
  if (subjectKind === "order") return number && `/orders/${number}`;
  if (subjectKind === "return") return `/returns/${id}`;
  if (subjectKind === "product") return `/products/${id}`;
  if (subjectKind === "collection") return `/collections/${id}`;
  if (subjectKind === "size-guide") return `/size-guides/${id}`;
  if (subjectKind === "delivery-way") return `/delivery/ways?way=${id}`;
  if (subjectKind === "old-address") return may(role, "shop") ? `/shop/addresses?q=${id}` : undefined;
  if (subjectKind === "page") return may(role, "shop") ? `/words/${id}` : undefined;
  return subjectKind === "customer" && may(role, "customers") ? `/customers/${id}` : undefined;
}

type Side = ReturnType<typeof timed>;

/** The fields that differ between the two sides. */
function differing(before: Side, after: Side): { before: Side; after: Side } {
  if (!before || !after) return { before, after };
  const of = (side: object) =>
    Object.fromEntries(
      Object.entries(side).filter(([name]) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null)),
    );
  return { before: of(before), after: of(after) };
}
