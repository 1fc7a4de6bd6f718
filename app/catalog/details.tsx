import { useNumbers } from "#app/numbers/context.tsx";
import { ReturnIcon } from "#app/ui/icons.tsx";
import type { Product } from "./product.ts";
import { DETAILS, SHOWN_DETAILS } from "./product-fields.ts";

// List items for the facts on a product's page.

export function Returns({ finalSale }: Pick<Product, "finalSale">) {
  const { returnDays, damageHours } = useNumbers();
  const first = finalSale ? "Final sale: no returns." : `Return or exchange within ${returnDays} days of delivery.`;
  return (
    <li>
      <ReturnIcon className="size-6 shrink-0" />
      <span>{`${first} Tell us about damage within ${damageHours} hours.`}</span>
    </li>
  );
}

/** The known details of fabric and cut. Renders nothing if none is known. */
export function Details({ details }: Pick<Product, "details">) {
  const known = SHOWN_DETAILS.filter((name) => details[name]);
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
