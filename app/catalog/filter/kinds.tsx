import { KINDS, type KindCount } from "#app/catalog/product.ts";
import { Link } from "#app/ui/link.tsx";
import { countText, type Filters, filterQuery } from "./filters.ts";

const CHIP =
  "inline-flex min-h-11 items-center gap-2 whitespace-nowrap rounded-cut border border-ink/50 px-4 text-sm font-semibold hover:border-ink aria-current:border-ink aria-current:bg-ink aria-current:text-paper";

/** The kinds of products as links that keep the other filters; on phones they scroll to the side. */
export function KindChips({ filters, counts }: { filters: Filters; counts: KindCount[] }) {
  if (counts.length < 2) return null;
  const chip = (kind: string, isChosen: boolean) => ({
    to: `/shop${filterQuery(filters, { kind })}`,
    preventScrollReset: true,
    "aria-current": isChosen || undefined,
    className: CHIP,
  });
  return (
    <nav aria-label="Kinds" className="no-scrollbar -mx-4 mb-4 overflow-x-auto px-4 py-1 lg:mb-6">
      <ul className="flex gap-2">
        <li className="flex">
          <Link {...chip("", !filters.kind)}>All</Link>
        </li>
        {counts.map(({ kind, count }) => (
          <li key={kind} className="flex">
            <Link {...chip(kind, filters.kind === kind)}>
              {KINDS[kind]} <span className="price font-normal opacity-80">{countText(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
