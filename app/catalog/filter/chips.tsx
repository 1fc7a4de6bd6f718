import { dollarText } from "#app/money/money.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type FilterName, type Filters, filterQuery } from "./filters.ts";

/** The filters in force, each as a link that removes it. */
export function FilterChips({ filters }: { filters: Filters }) {
  const active: [FilterName, string][] = [];
  if (filters.search) active.push(["q", `“${filters.search}”`]);
  if (filters.size) active.push(["size", `Size ${filters.size}`]);
  if (filters.color) active.push(["color", filters.color]);
  if (filters.minCents !== undefined) active.push(["min", `From $${dollarText(filters.minCents)}`]);
  if (filters.maxCents !== undefined) active.push(["max", `To $${dollarText(filters.maxCents)}`]);
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
