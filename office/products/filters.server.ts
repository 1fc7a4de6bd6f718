import { z } from "zod";
import { KIND_NAMES } from "#app/catalog/product.ts";
import {
  isKeyOf,
  type ListPlace,
  PRODUCT_SORTS,
  PRODUCT_VIEWS,
  type ProductSearch,
} from "#app/owner/catalog/product-list.server.ts";

const place = z.tuple([z.string().max(300), z.string().max(100)]);

/** What a list's address asks for; what cannot be read is left out. */
export function productSearchOf(params: URLSearchParams): ProductSearch & { before?: ListPlace; after?: ListPlace } {
  const oneOf = <T extends string>(name: string, all: readonly T[]) => all.find((one) => one === params.get(name));
  const sort = oneOf("sort", PRODUCT_SORTS) ?? "shop";
  const placeIn = (name: string): ListPlace | undefined => {
    const read = place.safeParse(parsed(params.get(name)));
    return read.success && isKeyOf(sort, read.data[0]) ? { key: read.data[0], id: read.data[1] } : undefined;
  };
  return {
    view: oneOf("view", PRODUCT_VIEWS) ?? "all",
    text: params.get("q")?.trim().slice(0, 200) || undefined,
    kind: oneOf("kind", KIND_NAMES),
    sort,
    before: placeIn("before"),
    after: placeIn("after"),
  };
}

export function placeText(at?: ListPlace): string | undefined {
  return at && JSON.stringify([at.key, at.id]);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return; // typed by hand
  }
}
