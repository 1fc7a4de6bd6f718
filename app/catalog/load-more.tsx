import { useEffect, useRef } from "react";
import { countText, type Filters, filterQuery, MOST_PAGES } from "#app/catalog/filter/filters.ts";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  shown: number;
  total: number;
  filters: Filters;
  /** Those whose products are on their way, else the same. */
  asked: Filters;
};

/** The next products below these; the URL counts the pages, so Back and a reload find the same place. */
export function LoadMore({ shown, total, filters, asked }: Props) {
  const before = useRef(shown);
  const pressed = useRef(false);
  useEffect(() => {
    // The pressed link may be gone: by keyboard the first new product is the next stop.
    if (pressed.current && shown > before.current)
      document
        .querySelectorAll<HTMLElement>("main li > a[href^='/singleProduct/']")
        [before.current]?.focus({ preventScroll: true });
    if (shown !== before.current) pressed.current = false;
    before.current = shown;
  }, [shown]);
  if (shown === total && filters.page === 1) return null;
  const isSameList = filterQuery(asked) === filterQuery(filters);
  return (
    <div className="mt-12 grid justify-items-center gap-4">
      <p className="price text-muted">{`${countText(shown)} of ${countText(total)}`}</p>
      {shown < total && filters.page === MOST_PAGES && <p>A search or a filter finds the others.</p>}
      {shown < total && filters.page < MOST_PAGES && (
        <ButtonLink
          to={`/shop${filterQuery(asked, { page: String(isSameList ? filters.page + 1 : 2) })}`}
          look="outline"
          replace={isSameList}
          preventScrollReset
          onClick={() => {
            pressed.current = true;
          }}
        >
          Load more
        </ButtonLink>
      )}
    </div>
  );
}
