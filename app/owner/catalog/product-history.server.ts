import { DETAIL_NAMES, detailWord, FLAG_NAMES, FLAGS, type FlagName } from "#app/catalog/product-fields.ts";
import { sizeName } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { formatUsd } from "#app/money/format.ts";
import { centsFromDollars } from "#app/money/money.ts";
import { whoOf } from "../orders/acts.server.ts";
import type { Happening } from "../orders/happening.ts";
import { shopTime } from "../shop-time.server.ts";
import type { Plain } from "./product-edit.server.ts";

const MOST = 50;

/** The fields that the audit log's `before` and `after` may have for a product, whichever way the change was made. */
type Side = Omit<Partial<Plain>, "images" | "sizes"> & {
  images?: unknown[];
  sizes?: string[] | Record<string, number>;
  from?: string;
  reason?: string;
  salePrice?: number;
  salePercent?: number;
  saleFrom?: string;
  saleUntil?: string;
  queueOpensAt?: string;
  queuePace?: number;
};

const TITLES: Partial<Record<string, string>> = {
  "products add": "Added",
  "products copy": "Copied",
  "products import": "Imported from a file",
  "prices change": "Price changed with others",
  "products change": "Changed",
  "prices sale": "Sale price planned",
  "prices end": "Sale price ended",
  "queue on": "Queue switched on",
  "queue off": "Queue ended",
  "stock add": "Stock added",
  "stock set": "Stock counted",
};

/** The history of a product: its last 50 changes, newest first. */
export async function productHistory(on: Db, id: string): Promise<Happening[]> {
  const rows = await on
    .selectFrom("auditLog")
    .leftJoin("staff", "staff.email", "actor")
    .select(["at", "actor", "staff.name", "door", "action", "before", "after"])
    .where("subjectKind", "=", "product")
    .where("subjectId", "=", id)
    .orderBy("auditLog.id", "desc")
    .limit(MOST)
    .execute();
  return rows.map(({ at, actor, name, door, action, ...sides }) => {
    const [before, after] = [(sides.before ?? {}) as Side, (sides.after ?? {}) as Side];
    const isNew = sides.before === null;
    const shown = wordOfShowing(after, isNew);
    const isOnlyShown = shown && Object.keys(after).every((key) => key === "hidden" || key === "publishAt");
    return {
      at,
      title: (isOnlyShown && shown) || (TITLES[action] ?? action),
      by: whoOf({ by: name || actor, door }),
      text: isOnlyShown ? undefined : wordsOf(before, after, isNew) || undefined,
      look: after.hidden === false ? "key" : "plain",
    };
  });
}

/** The changes as phrases. */
function wordsOf(before: Side, after: Side, isNew: boolean): string {
  const words: (string | false | undefined)[] = [
    after.from !== undefined && `from ${after.from}`,
    after.title !== undefined && (isNew ? `“${after.title}”` : `title “${before.title}” → “${after.title}”`),
    !isNew && after.color !== undefined && `colour ${before.color || "none"} → ${after.color || "none"}`,
    after.price !== undefined && `price ${isNew ? "" : `${priceText(before.price)} → `}${priceText(after.price)}`,
    !isNew && after.description !== undefined && "description",
    !isNew && after.kinds && `kinds ${before.kinds?.join(", ") || "none"} → ${after.kinds.join(", ") || "none"}`,
    ...(isNew ? [] : FLAG_NAMES.map((name) => wordOfFlag(name, after[name]))),
    ...(isNew ? [] : changedDetails(before, after).map(detailWord)),
    !isNew && after.images && picturesText(before.images?.length ?? 0, after.images.length),
    ...sizesText(before.sizes, after.sizes),
    ...Object.entries(after.pieces ?? {}).map(([size, pieces]) => `${sizeName(size)}: ${pieces} in stock`),
    wordOfShowing(after, isNew)?.toLowerCase(),
    ...saleText(after),
    after.queueOpensAt && `from ${shopTime(new Date(after.queueOpensAt))}`,
    after.queuePace !== undefined && `${after.queuePace} turns a minute`,
    after.reason && `(${after.reason})`,
  ];
  return words.filter(Boolean).join("; ");
}

function saleText({ salePrice, salePercent, saleFrom, saleUntil }: Side): string[] {
  if (salePrice === undefined && salePercent === undefined) return [];
  return [
    salePrice === undefined ? `${salePercent}% off` : `sale price ${priceText(salePrice)}`,
    saleFrom ? `from ${shopTime(new Date(saleFrom))}` : "from now",
    saleUntil ? `over at ${shopTime(new Date(saleUntil))}` : "without an end",
  ];
}

const changedDetails = (before: Side, { details }: Side) =>
  DETAIL_NAMES.filter((name) => details && details[name] !== before.details?.[name]);

function wordOfFlag(name: FlagName, value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : FLAGS[name][value ? "set" : "unset"];
}

function wordOfShowing({ hidden, publishAt }: Side, isNew: boolean): string | undefined {
  if (publishAt) return `In the shop from ${shopTime(new Date(publishAt))}`;
  if (hidden === undefined) return;
  if (!hidden) return "Shown in the shop";
  return isNew ? "A draft" : "Taken out of the shop";
}

function priceText(price: unknown): string {
  const cents = centsFromDollars(String(price ?? ""));
  return cents === undefined ? "none" : formatUsd(cents);
}

function picturesText(before: number, after: number): string {
  return before === after ? "pictures" : `${before} → ${plural(after, "picture")}`;
}

/** The audit log stores either the names of the sizes, or the stock of each. */
function sizesText(before: Side["sizes"], after: Side["sizes"]): string[] {
  if (!after) return [];
  if (Array.isArray(after)) return [`sizes ${after.map(sizeName).join(" ")}`];
  const was = before && !Array.isArray(before) ? before : {};
  return Object.entries(after).map(([size, now]) => `${sizeName(size)} ${was[size] ?? 0} → ${now}`);
}
