import { csvText } from "#app/infra/document/csv.ts";
import type { Row } from "#app/infra/document/table.ts";
import type { Kind } from "#db/types.ts";
import type { TableProblem } from "../table-row.ts";
import type { FileCurrency } from "./currency.ts";
import { type Translated, translate } from "./model.ts";
import { columnKey, type Sheet, sheetOf } from "./sheet.ts";
import type { OurProduct, Reading } from "./shop.ts";
import { isShopify, readShopify, SHOPIFY_COLUMNS, shopifyRows } from "./shopify.ts";
import { isWooCommerce, readWooCommerce, wooColumns, wooRows } from "./woocommerce.ts";

/** The shops whose product files are read and written. */
export const FOREIGN_SHOPS = { shopify: "Shopify", woocommerce: "WooCommerce" } as const;
export type ForeignShop = keyof typeof FOREIGN_SHOPS;

export function isForeignShop(name: string): name is ForeignShop {
  return Object.hasOwn(FOREIGN_SHOPS, name);
}

/** `unread`: the filled columns that nothing is read from. */
export type ForeignTable = Translated & { unread: string[] };
export type Translator = { shop: string; read(rows: Row[], money: FileCurrency, kinds: readonly Kind[]): ForeignTable };

/** Who reads a table with this header; undefined for a table of this shop, and for any other. */
export function recognise(header: string[]): Translator | undefined {
  const keys = header.map(columnKey);
  if (isShopify(keys)) return translator("Shopify", SHOPIFY_COLUMNS, readShopify);
  if (isWooCommerce(keys)) return translator("WooCommerce", wooColumns(keys), (sheet) => readWooCommerce(sheet, keys));
  return undefined;
}

function translator<Field extends string>(
  shop: string,
  columns: Record<Field, readonly string[]>,
  reading: (sheet: Sheet<Field>) => Reading,
): Translator {
  return {
    shop,
    read: (rows, money, kinds) => {
      const sheet = sheetOf(rows, columns);
      const { twice, unread } = sheet;
      if (twice !== undefined) {
        const problem = { ...sheet.head, column: twice, reason: `${twice} is there in two columns` };
        return { rows: [], problems: [problem], leftOut: [], unread };
      }
      const { models, problems, leftOut } = reading(sheet);
      const parts = models.map((model) => translate(model, money, kinds));
      return {
        rows: parts.flatMap((one) => one.rows),
        problems: [...problems, ...parts.flatMap((one) => one.problems)].sort(byRow),
        leftOut: [...leftOut, ...parts.flatMap((one) => one.leftOut)].sort(byRow),
        unread,
      };
    },
  };
}

const byRow = (one: TableProblem, other: TableProblem) => one.row - other.row;

/** Products as a table in another shop's columns, at their normal prices in dollars. */
export function foreignTable(products: OurProduct[], shop: ForeignShop, kinds: readonly Kind[]): string {
  const rows = { shopify: shopifyRows, woocommerce: wooRows }[shop];
  return `${csvText(products.flatMap((product) => rows(product, kinds)))}\n`;
}
