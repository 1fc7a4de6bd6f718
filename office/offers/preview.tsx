import { Form, Link, useNavigation } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { TypedOffer } from "#app/owner/offers/typed-offer.server.ts";
import { Button } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { Section } from "../frame/page.tsx";
import type { ShownOffer } from "./shown-offer.ts";

type Props = { offer: ShownOffer; typed: TypedOffer; submit: string };

/** The preview of an offer, with the button that saves the offer. */
export function OfferPreview({ offer, typed, submit }: Props) {
  const { sentence, isSalePrice, preview } = offer;
  const isPending = useNavigation().formData?.get("intent") === "save";
  const kept = Object.entries(typed).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one) => [`${name}[]`, one] as const) : value ? [[name, value] as const] : [],
  );
  return (
    <Section title="What it does">
      <p className="rounded-cut bg-linen p-3 font-medium">{`${sentence}.`}</p>
      {isSalePrice && (
        <Notice kind="info">
          A <Link to="/products/prices">sale price</Link> does the same, and shoppers see it in lists and on the
          product, too. An offer shows in the cart alone.
        </Notice>
      )}
      <LastOrders {...preview} />
      <Form method="post" className="mt-5">
        <input type="hidden" name="agreed" value="on" />
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <Button name="intent" value="save" isPending={isPending}>
          {submit}
        </Button>
      </Form>
    </Section>
  );
}

function LastOrders({ orders, counted, countedCents, givenCents, isAll }: ShownOffer["preview"]) {
  if (orders === 0) return <p className="mt-4 text-muted">No orders in the last 30 days to try it on.</p>;
  const looked = isAll ? `${plural(orders, "order")} of the last 30 days` : `the newest ${plural(orders, "order")}`;
  const sum = (cents: number) => formatUsd(usdCents(cents));
  return (
    <div className="mt-4">
      <p>{`It would have counted in ${counted} of ${looked}.`}</p>
      {counted > 0 && (
        <dl className="mt-2 grid max-w-96 grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums">
          <dt>Before offers</dt> <dd className="text-right">{sum(countedCents)}</dd>
          <dt>Given away</dt> <dd className="text-right">{`−${sum(givenCents)}`}</dd>
          <dt className="font-semibold">With the offer</dt>{" "}
          <dd className="text-right font-semibold">{sum(countedCents - givenCents)}</dd>
        </dl>
      )}
    </div>
  );
}
