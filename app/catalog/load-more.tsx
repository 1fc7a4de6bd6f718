import { useEffect, useRef } from "react";
import { countText, type Filters, filterQuery, MOST_PAGES } from "#app/catalog/filter/filters.ts";
import { startOfList } from "#app/catalog/full-rows.ts";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  /** The path of the page. */
  path: string;
  /** The number of products before this list. */
  start: number;
  shown: number;
  total: number;
  filters: Filters;
  /** The filters whose products are loading, and the path of their page; the same as the others if none are. */
  asked: Filters;
  askedPath: string;
};

/**
 * A link that loads more products below the list, or starts a new list if this one is full. The URL contains the page
 * number, so that Back and a reload show the same products.
 */
export function LoadMore({ path, start, shown, total, filters, asked, askedPath }: Props) {
  const before = useRef(shown);
  const pressed = useRef(false);
  useEffect(() => {
    // The pressed link may have disappeared, so the first new product gets the focus.
    if (pressed.current && shown > before.current)
      document
        .querySelectorAll<HTMLElement>("main li > a[href^='/singleProduct/']")
        [before.current]?.focus({ preventScroll: true });
    if (shown !== before.current) pressed.current = false;
    before.current = shown;
  }, [shown]);
  const last = start + shown;
  if (last === total && filters.page === 1) return null;
  const from = start > 0 ? `${countText(start + 1)} to ` : "";
  const isSame = askedPath === path && filterQuery(asked) === filterQuery(filters);
  const next = isSame ? filters.page + 1 : 2;
  const isFull = isSame && startOfList(next) > start;
  return (
    <div className="mt-12 grid justify-items-center gap-4">
      <p className="price text-muted">{`${from}${countText(last)} of ${countText(total)}`}</p>
      {last < total && filters.page === MOST_PAGES && <p>Search or filter to find the others.</p>}
      {last < total && filters.page < MOST_PAGES && (
        <ButtonLink
          to={`${askedPath}${filterQuery(asked, { page: String(next) })}`}
          look="outline"
          replace={isSame && !isFull}
          preventScrollReset={!isFull}
          onClick={() => {
            pressed.current = !isFull;
          }}
        >
          {isFull ? "More products" : "Load more"}
        </ButtonLink>
      )}
    </div>
  );
}
