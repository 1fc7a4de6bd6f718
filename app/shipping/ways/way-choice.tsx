import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { UsdCents } from "#app/money/money.ts";
import { DELIVERY_DAYS, inBusinessDays } from "../delivery-time.ts";
import type { ShippingFieldsProps } from "../field-props.ts";
import { destinationOf, shippingCost } from "../shipping.ts";
import { daysOfWay } from "./text.ts";
import { waysTo } from "./ways.ts";

type Props = Pick<ShippingFieldsProps, "fields" | "errors" | "rates" | "rate" | "dates" | "onChange">;
type Choice = { id: string; name: string; note: string; cents: UsdCents };

/**
 * The ways of delivery to the chosen place. Nothing where there is only the standard one, unless the chosen way has
 * just been refused.
 */
export function WayChoice({ fields, errors, rates, rate, dates, onChange }: Props) {
  const destination = destinationOf(fields, rates);
  const ways = waysTo(destination, rates);
  const error = errors.deliveryWay;
  if (!destination || (ways.length === 0 && !error)) return null;
  const isAbroad = destination.kind === "abroad";
  const standardDays = isAbroad ? DELIVERY_DAYS.abroad : DELIVERY_DAYS.nigeria;
  const choices: Choice[] = [
    {
      id: "",
      name: "Standard",
      note: `${inBusinessDays(standardDays)} after packing: ${isAbroad ? dates.abroad : dates.nigeria}`,
      cents: shippingCost(destination, rates),
    },
    ...ways.map((way) => ({
      id: way.id,
      name: way.name,
      note: [`${daysOfWay(way)}: ${dates.ways?.[way.id] ?? ""}`, way.orderBy && `order by ${way.orderBy}`]
        .filter(Boolean)
        .join(", "),
      cents: way.rateCents,
    })),
  ];
  const chosen = ways.some(({ id }) => id === fields.deliveryWay) ? fields.deliveryWay : "";
  return (
    <div
      role="radiogroup"
      aria-labelledby="way-legend"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? "way-error" : undefined}
    >
      <span id="way-legend" className="mb-1 block text-sm font-semibold">
        How fast
      </span>
      <div
        className={`divide-y rounded-cut border bg-white ${error ? "divide-error/40 border-error" : "divide-ink/25 border-ink/50"}`}
      >
        {choices.map(({ id, name, note, cents }, index) => (
          <label
            key={id}
            className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-3 p-3 has-checked:bg-linen has-focus-visible:outline-2"
          >
            <input
              id={index === 0 ? "deliveryWay" : undefined}
              type="radio"
              name="deliveryWay"
              value={id}
              checked={chosen === id}
              onChange={() => onChange("deliveryWay", id)}
              aria-labelledby={`way-${index}`}
              aria-describedby={`way-note-${index}`}
              className="size-5 accent-ink"
            />
            <span className="wrap-anywhere">
              <span id={`way-${index}`} className="block font-semibold">
                {name}
              </span>{" "}
              <span id={`way-note-${index}`} className="block text-sm text-muted">
                {note}
              </span>
            </span>{" "}
            {cents === 0 ? (
              <span>free</span>
            ) : (
              <PricePair cents={cents} rate={rate} className="flex-col items-end" />
            )}{" "}
          </label>
        ))}
      </div>
      {error && (
        <p id="way-error" className="mt-1 text-sm font-medium text-error">
          {error}
        </p>
      )}
    </div>
  );
}
