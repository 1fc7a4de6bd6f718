import { countKinds, countKindsByModel, hasSale, listColors } from "#app/catalog/catalog.server.ts";
import { collectionsNamed, linkedCollections } from "#app/catalog/collections/collections.server.ts";
import { PAGE, PAGES_BELOW, REST, startOfList } from "#app/catalog/full-rows.ts";
import type { ProductCard } from "#app/catalog/product.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { type Found, findCards } from "#app/catalog/search/search.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { familiesIn } from "./color-words.server.ts";
import { type Filters, readFilters } from "./filters.ts";

/** What a page shows that lists products with filters: those of the whole shop, of one collection, or of one kind. */
export async function listOfProducts(request: Request, collection?: Collection) {
  const filters = readFilters(new URL(request.url).searchParams);
  // Everything starts at once, so that the settings and the rate are one statement with those of the page's other
  // loaders. Once the settings are read, the kinds, which are counted, are known as well.
  const byModel = shopSettings(db()).then(({ cardFor }) => cardFor === "model");
  const [{ products, start, page, ...rest }, colors, kinds, collections, named, sale, { rate }] = await Promise.all([
    findList(filters, byModel, collection),
    listColors(db()),
    byModel.then((isByModel) => (isByModel ? countKindsByModel : countKinds)(db())),
    linkedCollections(db()),
    collection ? [] : collectionsNamed(db(), filters.search),
    hasSale(db()),
    rateInForce(db()),
  ]);
  const families = familiesIn(colors);
  return {
    ...{ products, start, ...rest, rate, filters: { ...filters, page } },
    ...{ families, kinds, collections, hasSale: sale },
    ...(named.length > 0 && { named }),
  };
}

/** The list that contains this page, or the first list if there are fewer products. */
async function findList(filters: Filters, byModel: Promise<boolean>, collection?: Collection): Promise<List> {
  const start = startOfList(filters.page);
  const most = filters.page * PAGE - start;
  const part = { after: start, most: most + REST };
  const { found, total, ...rest } = await findCards(db(), { ...filters, byModel: await byModel }, part, collection);
  if (found.length === 0 && start > 0) return findList({ ...filters, page: PAGES_BELOW }, byModel, collection);
  const products = total > start + most + REST ? found.slice(0, most) : found;
  return { products, start, page: filters.page, total, ...rest };
}

type Collection = Parameters<typeof findCards>[3];
type List = Omit<Found, "found"> & { products: ProductCard[]; start: number; page: number };
