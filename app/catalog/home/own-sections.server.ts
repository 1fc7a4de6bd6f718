import type { Db } from "#app/infra/database/db.server.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { HomeSection } from "#db/types.ts";
import { cardsOf } from "../catalog.server.ts";
import { getCollection } from "../collections/collections.server.ts";
import type { ProductCard } from "../product.ts";
import { cardsInCollection } from "../search/search.server.ts";
import type { ShownSection } from "./own-sections.ts";

/**
 * The owner's sections as the page shows them. Products and collections that the shop does not show are left out, and
 * so is a section of which nothing remains. `newest`: at least as many of the newest products as `newestIn` says.
 */
export async function shownSections(on: Db, sections: HomeSection[], newest: ProductCard[]): Promise<ShownSection[]> {
  const all = await Promise.all(sections.map((section) => shownSection(on, section, newest)));
  return all.filter((one) => one !== undefined).filter((one) => one.kind !== "products" || one.products.length > 0);
}

async function shownSection(on: Db, section: HomeSection, newest: ProductCard[]): Promise<ShownSection | undefined> {
  const { id } = section;
  switch (section.kind) {
    case "arrivals": {
      const { title, most } = section;
      return { id, kind: "products", title, to: "/shop", products: newest.slice(0, most) };
    }
    case "collection": {
      const collection = await getCollection(on, section.collection);
      if (!collection) return;
      const title = section.title || collection.name;
      const products = await cardsInCollection(on, collection, section.most);
      return { id, kind: "products", title, to: collectionPath(collection.id), products };
    }
    case "products": {
      const cards = await cardsOf(on, section.products);
      const products = section.products.flatMap((product) => cards.get(product) ?? []);
      return { id, kind: "products", title: section.title, to: "", products };
    }
    case "picture": {
      const { kind, title, text, alt, picture } = section;
      return picture ? { id, kind, title, text, ...linkOf(section), picture: { ...picture, alt } } : undefined;
    }
    case "slogan": {
      const { kind, title, text } = section;
      return { id, kind, title, text, ...linkOf(section) };
    }
    case "shipped":
      return section;
  }
}

const linkOf = ({ to, label }: { to: string; label: string }) => (to ? { link: { to, label } } : {});
