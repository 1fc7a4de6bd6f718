import Papa from "papaparse";
import { withEntities } from "#app/infra/text/entities.ts";
import type { FeedItem } from "./items.ts";

type Column = {
  name: string;
  value(item: FeedItem): string | string[];
  isRequired?: boolean;
  /** The most characters that the reader accepts. */
  most?: number;
};

type Format = {
  /** The reader's name in the office. */
  title: string;
  contentType: string;
  columns: Column[];
  /** The file's text before, for and after the items; `site` is the shop's address, `name` its name. */
  begin(site: string, name: string): string;
  write(items: FeedItem[], columns: Column[]): string;
  end: string;
};

/** The columns that have the same name for all readers. Only the allowed lengths differ. */
function common(idName: string, most: { id?: number; title?: number; description?: number }): Column[] {
  return [
    { name: idName, value: (item) => item.id, isRequired: true, most: most.id },
    { name: "title", value: (item) => item.title, isRequired: true, most: most.title },
    { name: "description", value: (item) => item.description, isRequired: true, most: most.description },
    { name: "link", value: (item) => item.link, isRequired: true },
    { name: "image_link", value: (item) => item.image, isRequired: true },
    { name: "price", value: (item) => item.price, isRequired: true },
    { name: "sale_price", value: (item) => item.salePrice },
    { name: "sale_price_effective_date", value: (item) => item.saleDates },
    { name: "condition", value: () => "new", isRequired: true },
    { name: "brand", value: (item) => item.brand, isRequired: true },
    { name: "item_group_id", value: (item) => item.group },
    { name: "size", value: (item) => item.size },
    { name: "gender", value: () => "unisex", isRequired: true },
    { name: "age_group", value: () => "adult", isRequired: true },
    { name: "material", value: (item) => item.material },
    { name: "product_type", value: (item) => item.kind },
  ];
}

const inWords = ({ isInStock }: FeedItem) => (isInStock ? "in stock" : "out of stock");

/**
 * The formats of product feeds by their file's name. The rules were read in November 2026 in Google's product data
 * specification (support.google.com/merchants/answer/7052112), Meta's catalogue reference
 * (developers.facebook.com/docs/commerce-platform/catalog/fields) and TikTok's catalogue parameters
 * (ads.tiktok.com/help/article/catalog-product-parameters).
 */
export const FEEDS = {
  "google.xml": {
    title: "Google Merchant Center",
    contentType: "application/xml; charset=utf-8",
    columns: [
      ...common("id", { id: 50, title: 150, description: 5000 }),
      { name: "availability", value: ({ isInStock }) => (isInStock ? "in_stock" : "out_of_stock"), isRequired: true },
      // Required for clothes.
      { name: "color", value: (item) => item.color, isRequired: true, most: 100 },
      { name: "identifier_exists", value: () => "no" },
      { name: "shipping_weight", value: (item) => item.weight },
      { name: "additional_image_link", value: (item) => item.moreImages },
    ],
    begin: (site, name) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n<title>${escaped(name)}</title>\n<link>${escaped(site)}</link>\n<description>Products of ${escaped(name)}</description>\n`,
    write: (items, columns) =>
      items.map((item) => `<item>\n${columns.map((column) => elements(column, item)).join("")}</item>\n`).join(""),
    end: "</channel>\n</rss>\n",
  },
  "meta.csv": csv({
    title: "Facebook and Instagram",
    columns: [
      ...common("id", { id: 100, title: 200, description: 9999 }),
      { name: "availability", value: inWords, isRequired: true },
      { name: "color", value: (item) => item.color, most: 200 },
      { name: "shipping_weight", value: (item) => item.weight },
      { name: "additional_image_link", value: (item) => item.moreImages },
    ],
  }),
  "tiktok.csv": csv({
    title: "TikTok",
    columns: [
      ...common("sku_id", {}),
      { name: "availability", value: inWords, isRequired: true },
      { name: "color", value: (item) => item.color },
      { name: "additional_image_link", value: (item) => item.moreImages },
    ],
  }),
} satisfies Record<string, Format>;
export type FeedFile = keyof typeof FEEDS;
export const FEED_FILES = Object.keys(FEEDS) as FeedFile[];

export function formatOf(file: FeedFile): Format {
  return FEEDS[file];
}

export function isFeedFile(file: string): file is FeedFile {
  return Object.hasOwn(FEEDS, file);
}

/** The reasons why the feed's reader would refuse the item, as sentences. Empty if the item is accepted. */
export function refusals(file: FeedFile, item: FeedItem): string[] {
  return formatOf(file).columns.flatMap(({ name, value, isRequired, most }) => {
    const { length } = [value(item)].flat().join("");
    if (isRequired && length === 0) return [`“${name}” is empty`];
    return most !== undefined && length > most ? [`“${name}” has ${length} characters, ${most} are the most`] : [];
  });
}

/** A file of comma-separated values, as Meta and TikTok read it: pictures after the first in one cell. */
function csv({ title, columns }: Pick<Format, "title" | "columns">): Format {
  const row = (item: FeedItem) => columns.map(({ value }) => [value(item)].flat().join(","));
  return {
    title,
    columns,
    contentType: "text/csv; charset=utf-8",
    begin: () => `${columns.map(({ name }) => name).join(",")}\r\n`,
    write: (items) => `${Papa.unparse(items.map(row))}\r\n`,
    end: "",
  };
}

function elements({ name, value }: Column, item: FeedItem): string {
  const texts = [value(item)].flat().filter(Boolean);
  return texts.map((text) => `<g:${name}>${escaped(text)}</g:${name}>\n`).join("");
}

/** The text for XML, without the control characters that XML cannot hold. */
function escaped(text: string): string {
  return withEntities(text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, ""));
}
