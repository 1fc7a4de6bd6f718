import { ReturnIcon } from "#app/ui/icons.tsx";
import { DETAILS, type Product } from "./product.ts";

// Items of the list of facts on a product's page.

export function Returns({ finalSale }: Pick<Product, "finalSale">) {
  return (
    <li>
      <ReturnIcon className="size-6 shrink-0" />
      {finalSale
        ? "Final sale: it cannot be returned. Tell us of damage within 48 hours."
        : "Return or exchange within 14 days of delivery. Tell us of damage within 48 hours."}
    </li>
  );
}

const LABELS: Record<(typeof DETAILS)[number], string> = {
  fabric: "Fabric",
  fit: "Fit",
  back: "On the back",
  care: "Care",
  origin: "Origin",
};

/** What is known of the cloth and the cut; nothing where nothing is. */
export function Details({ details }: Pick<Product, "details">) {
  const known = DETAILS.filter((name) => details[name]);
  if (known.length === 0) return null;
  return (
    <li>
      <dl className="grid min-w-0 flex-1 gap-y-2">
        {known.map((name) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="w-23 text-muted">{LABELS[name]}</dt>
            <dd className="flex-1 basis-36 text-pretty">{details[name]}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
