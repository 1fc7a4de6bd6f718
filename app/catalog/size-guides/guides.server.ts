import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import type { MeasuredSize, SizeMeasure } from "#db/types.ts";
import type { Product } from "../product.ts";
import type { SizeGuideTable } from "./guide.ts";

/**
 * The most particular guide of a product: its own, that of the first collection into which it was put, in the owner's
 * order, or that of its first kind, in the order of the shop's links.
 */
const guides = statement(
  {
    takes: { product: sqlType.text },
    gives: { falls: sqlType.text, measures: sqlType.json<SizeMeasure[]>(), sizes: sqlType.json<MeasuredSize[]>() },
  },
  `select g.falls, g.measures, g.sizes from size_guides g
   where g.id = coalesce(
     (select own.guide_id from size_guide_products own where own.product_id = :product),
     (
       select of_all.guide_id from size_guide_collections of_all
         join collections c on c.id = of_all.collection_id join collection_products m on m.collection_id = c.id
       where m.product_id = :product
       order by c.position, c.id limit 1
     ),
     (
       select k.id from products p join size_guides k on k.kinds && p.kinds
       where p.id = :product
       order by (select min(position) from product_kinds where id = any(k.kinds) and id = any(p.kinds)), k.id
       limit 1
     )
   )`,
);

/** The owner's size guide for this product; undefined if there is none. */
export async function sizeGuideOf(on: Db, product: string): Promise<SizeGuideTable | undefined> {
  return (await guides(on, { product }))[0];
}

/** Whether a guide has measures for a size of the product: a cap of one size has nothing of a guide from S to XXL. */
export function hasSizeOf(guide: SizeGuideTable, { sizes }: Product): boolean {
  return guide.sizes.some(({ size }) => sizes.some((one) => one.size === size));
}
