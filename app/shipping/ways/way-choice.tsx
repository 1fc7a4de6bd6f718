import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { UsdCents } from "#app/money/money.ts";
import { useNumbers } from "#app/numbers/context.tsx";
import { inBusinessDays, standardDays } from "../delivery-time.ts";
import type { ShippingFieldsProps } from "../field-props.ts";
import { destinationOf, shippingCost } from "../shipping.ts";
import { Choices } from "./choices.tsx";
import { daysOfWay } from "./text.ts";
import { deliveryToPay, waysTo } from "./ways.ts";

type Props = Pick<ShippingFieldsProps, "fields" | "errors" | "rates" | "rate" | "dates" | "isFree" | "onChange">;

/**
 * The ways of delivery to the chosen place, each with what it costs now. Nothing where there is only the standard one,
 * unless the chosen way has just been refused.
 */
export function WayChoice({ fields, errors, rates, rate, dates, isFree, onChange }: Props) {
  const standard = standardDays(useNumbers());
  const destination = destinationOf(fields, rates);
  const ways = waysTo(destination, rates);
  const error = errors.deliveryWay;
  if (!destination || (ways.length === 0 && !error)) return null;
  const [days, arrives] =
    destination.kind === "abroad" ? [standard.abroad, dates.abroad] : [standard.nigeria, dates.nigeria];
  const standardCents = shippingCost(destination, rates);
  const price = (shippingCents: UsdCents) => {
    const cents = deliveryToPay({ shippingCents, standardCents }, isFree);
    return cents === 0 ? <span>free</span> : <PricePair cents={cents} rate={rate} className="flex-col items-end" />;
  };
  const choices = [
    {
      value: "",
      title: "Standard",
      note: `${inBusinessDays(days)} after packing: ${arrives}`,
      price: price(standardCents),
    },
    ...ways.map((way) => ({
      value: way.id,
      title: <span className="wrap-anywhere">{way.name}</span>,
      note: [`${daysOfWay(way)}: ${dates.ways?.[way.id] ?? ""}`, way.orderBy && `order by ${way.orderBy}`]
        .filter(Boolean)
        .join(", "),
      price: price(way.rateCents),
    })),
  ];
  return (
    <Choices
      name="deliveryWay"
      prefix="way"
      legend="How fast"
      choices={choices}
      chosen={ways.some(({ id }) => id === fields.deliveryWay) ? fields.deliveryWay : ""}
      error={error}
      onChoose={(id) => onChange("deliveryWay", id)}
    />
  );
}
