import { useNumbers } from "#app/numbers/context.tsx";
import { inNumbers } from "#app/numbers/numbers.ts";
import { ReturnIcon } from "#app/ui/icons.tsx";
import type { Product } from "./product.ts";
import { DETAIL_NAMES, DETAILS } from "./product-fields.ts";

// List items for the facts on a product's page.

export function Returns({ finalSale }: Pick<Product, "finalSale">) {
  const text = finalSale
    ? "Final sale: no returns. Tell us about damage within 48 hours."
    : "Return or exchange within 14 days of delivery. Tell us about damage within 48 hours.";
  const numbers = useNumbers();
  return (
    <li>
      <ReturnIcon className="size-6 shrink-0" />
      <span>{inNumbers(text, numbers)}</span>
    </li>
  );
}

/** The known details of fabric and cut. Renders nothing if none is known. */
export function Details({ details }: Pick<Product, "details">) {
  const known = DETAIL_NAMES.filter((name) => details[name]);
  if (known.length === 0) return null;
  return (
    <li>
      <dl className="grid min-w-0 flex-1 gap-y-2">
        {known.map((name) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="w-23 text-muted">{DETAILS[name].label}</dt>
            <dd className="flex-1 basis-36 text-pretty">{details[name]}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
