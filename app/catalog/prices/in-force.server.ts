import { sql } from "kysely";

type Field = "price_cents" | "normal_cents" | "old_cents" | "sale_until" | "sale_final";

const NORMAL = (table: string) => `coalesce(${table}.normal_cents, ${table}.price_cents)`;

/**
 * SQL for a field of a product's price as of now. `table` is the alias of `products`. If a sale has begun or ended, but
 * no job has written that to the product yet, the field is calculated from the sale prices. `min`, unlike `exists`,
 * uses the product's index even if PostgreSQL planned the query while the table was empty.
 */
export function inForceSql(field: Field, table = "products"): string {
  return `case when (
    select min(due.due_at) from sale_prices due where due.product_id = ${table}.id
  ) <= now() then (price_at(${table}.id, ${NORMAL(table)}, now())).${field} else ${table}.${field} end`;
}

/** SQL for a product's price at `moment`, from its current normal price and the sale prices of that moment. */
export function priceAtSql(moment: string, table = "products"): string {
  return `(price_at(${table}.id, ${NORMAL(table)}, ${moment})).price_cents`;
}

/** SQL for a product's price without a sale. */
export const normalPriceSql = (table = "products") => sql<number>`${sql.raw(NORMAL(table))}`;

/** The columns of a card's price as of now, for a query of `products`. */
export const CARD_IN_FORCE = [
  sql<number>`${sql.raw(inForceSql("price_cents"))}`.as("priceCents"),
  sql<number | null>`${sql.raw(inForceSql("old_cents"))}`.as("oldPriceCents"),
] as const;
/** All columns of a product's price, and whether the product is final sale, as of now. */
export const IN_FORCE = [
  ...CARD_IN_FORCE,
  sql<boolean>`${sql.raw(inForceSql("normal_cents"))} is not null`.as("isOnSale"),
  sql<Date | null>`${sql.raw(inForceSql("sale_until"))}`.as("saleUntil"),
  sql<boolean>`final_sale or ${sql.raw(inForceSql("sale_final"))}`.as("finalSale"),
] as const;
