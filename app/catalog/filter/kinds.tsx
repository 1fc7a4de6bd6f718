import { useEffect, useRef } from "react";
import type { CollectionLink } from "#app/catalog/collections/collection.ts";
import type { KindCount } from "#app/catalog/product.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { countText, type Filters, filterQuery } from "./filters.ts";

const CHIP =
  "inline-flex min-h-11 items-center gap-2 whitespace-nowrap rounded-cut border border-ink/50 px-4 text-sm font-semibold hover:border-ink aria-current:border-ink aria-current:bg-ink aria-current:text-paper forced-colors:aria-current:bg-[Highlight] forced-colors:aria-current:text-[HighlightText] forced-colors:aria-current:forced-color-adjust-none";

type Props = {
  filters: Filters;
  counts: KindCount[];
  collections: CollectionLink[];
  /** The path of the page. */
  path: string;
};

/**
 * Links to the kinds of products and to the collections, which keep the other filters. On phones the row scrolls
 * sideways, to the chosen one first.
 */
export function KindChips({ filters, counts, collections, path }: Props) {
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one was chosen
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (chosen) row.current?.scrollTo({ left: chosen.offsetLeft - (row.current.clientWidth - chosen.offsetWidth) / 2 });
  }, [path]);
  if (counts.length < 2 && collections.length === 0) return null;
  const chip = (to: string) => ({
    to: `${to}${filterQuery(filters)}`,
    preventScrollReset: true,
    "aria-current": to === path || undefined,
    className: CHIP,
  });
  return (
    <nav
      ref={row}
      aria-label="Kinds"
      className="no-scrollbar relative -mx-4 mb-1 overflow-x-auto px-4 py-1 sm:mb-3 lg:mb-4"
    >
      <ul className="flex w-max gap-2">
        <li className="flex">
          <Link {...chip("/shop")}>All</Link>
        </li>
        {counts.map(({ id, name, count }) => (
          <li key={id} className="flex">
            <Link {...chip(collectionPath(id))}>
              {name} <span className="price font-normal opacity-80">{countText(count)}</span>
            </Link>
          </li>
        ))}
        {collections.map(({ id, name }) => (
          <li key={id} className="flex">
            <Link {...chip(collectionPath(id))}>{name}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
