import { CURRENCY_SIGNS } from "#app/catalog/currency/country.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { FAMILIES } from "./colors.ts";
import { type FilterName, type Filters, filterQuery, priceShown } from "./filters.ts";

/** The active filters, each as a link that removes it. */
export function FilterChips({ path, filters }: { path: string; filters: Filters }) {
  const active: [FilterName, string, left?: string][] = [];
  if (filters.search) active.push(["q", `“${filters.search}”`]);
  if (filters.size) active.push(["size", `Size ${filters.size}`]);
  for (const family of filters.colors)
    active.push(["color", FAMILIES[family].name, filters.colors.filter((one) => one !== family).join(" ")]);
  const sign = CURRENCY_SIGNS[filters.currency];
  if (filters.min !== undefined) active.push(["min", `From ${sign}${priceShown(filters.min)}`]);
  if (filters.max !== undefined) active.push(["max", `To ${sign}${priceShown(filters.max)}`]);
  if (filters.available) active.push(["available", "In stock"]);
  if (filters.onSale) active.push(["sale", "On sale"]);
  if (active.length === 0) return null;
  return (
    <ul className="mb-6 flex flex-wrap items-center gap-2">
      {active.map(([name, text, left = ""]) => (
        <li key={text} className="flex">
          <Link
            to={`${path}${filterQuery(filters, { [name]: left })}`}
            preventScrollReset
            className="inline-flex min-h-11 items-center gap-2 rounded-cut border border-ink px-3 text-sm"
          >
            <span>{text}</span> <CloseIcon className="size-4" />
            <span className="sr-only">remove this filter</span>
          </Link>
        </li>
      ))}
      <li className="flex">
        <Link
          to={path}
          preventScrollReset
          className="inline-flex min-h-11 items-center px-3 text-sm underline underline-offset-4"
        >
          Clear all
        </Link>
      </li>
    </ul>
  );
}
