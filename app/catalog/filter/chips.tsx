import { CURRENCY_SIGNS } from "#app/catalog/currency/country.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type FilterName, type Filters, filterQuery, priceText } from "./filters.ts";

/** The filters in force, each as a link that removes it. */
export function FilterChips({ filters }: { filters: Filters }) {
  const active: [FilterName, string][] = [];
  if (filters.search) active.push(["q", `“${filters.search}”`]);
  if (filters.size) active.push(["size", `Size ${filters.size}`]);
  if (filters.color) active.push(["color", filters.color]);
  const sign = CURRENCY_SIGNS[filters.currency];
  if (filters.min !== undefined) active.push(["min", `From ${sign}${priceText(filters.min)}`]);
  if (filters.max !== undefined) active.push(["max", `To ${sign}${priceText(filters.max)}`]);
  if (filters.available) active.push(["available", "In stock"]);
  if (active.length === 0) return null;
  return (
    <ul className="mb-6 flex flex-wrap items-center gap-2">
      {active.map(([name, text]) => (
        <li key={name} className="flex">
          <Link
            to={`/shop${filterQuery(filters, { [name]: "" })}`}
            preventScrollReset
            className="inline-flex min-h-11 items-center gap-2 rounded-cut border border-ink px-3 text-sm"
          >
            {text} <CloseIcon className="size-4" />
            <span className="sr-only">remove this filter</span>
          </Link>
        </li>
      ))}
      <li className="flex">
        <Link
          to="/shop"
          preventScrollReset
          className="inline-flex min-h-11 items-center px-3 text-sm underline underline-offset-4"
        >
          Clear all
        </Link>
      </li>
    </ul>
  );
}
