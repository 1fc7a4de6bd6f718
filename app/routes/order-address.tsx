import { data, redirect, useNavigation } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { chargeInKobo } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { type AddressAnswer, AddressForm } from "#app/orders/address/form.tsx";
import { changeOwnAddress, type OwnAddressDone, readAddressOffer } from "#app/orders/address/own.server.ts";
import { LoginForOrder, OwnChangePage } from "#app/orders/own-change/page.tsx";
import { rateOfOrder } from "#app/orders/view.ts";
import { ownOrder } from "#app/payments/own-order.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { shippingFields } from "#app/shipping/shipping.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/order-address";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Change the address", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** More presses than a person makes. Each asks for the order's lock, which packing needs, too. */
const PRESSES_AN_HOUR = 30;

/** The order's address, or why it cannot be changed. Only the order's owner gets it. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const order = await ownOrder(db(), user.id, params.reference);
  const { number, reference, shippingCents } = order;
  const offer = await readAddressOffer(db(), user.id, reference);
  const shown = { uid: user.id, number, reference };
  if (!offer.ok) return { ...shown, offer: null, closed: messages.addressing[offer.why] };
  const { form, version } = offer;
  const rate = rateOfOrder(order);
  const paid = formatKobo(chargeInKobo(usdCents(shippingCents), rate));
  const rates = await loadShippingRates(db());
  return { ...shown, offer: { form, version, rates, rate, paid }, closed: null };
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return data(await answerOr<AddressAnswer>(serverAction, { problem: messages.form.unavailable }), { status: 400 });
}

/** Changes the address. Status 303 if it is changed, also for a repetition; 400 with the errors by field. */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const { reference } = await ownOrder(db(), user.id, params.reference);
  const form = await readForm(request);
  const kept = { fields: shippingFields((name) => form[name] ?? ""), landmarkStays: form.landmarkStays === "on" };
  const limited = await limit(db(), [`addresses of ${user.id}`, PRESSES_AN_HOUR, HOUR]);
  if (!limited.ok) {
    const answer: AddressAnswer = { problem: messages.form.tooOften, kept };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  const done = await changeOwnAddress(db("checkout"), user.id, reference, form);
  if (done.ok) throw redirect(`/order/${encodeURIComponent(reference)}?address=saved`, 303);
  return data<AddressAnswer>({ ...answerTo(done), kept }, { status: 400 });
}

function answerTo(done: Exclude<OwnAddressDone, { ok: true }>): AddressAnswer {
  switch (done.why) {
    case "fields":
    case "dearer":
      return { problem: messages.form.lookAtMarked, errors: done.errors };
    case "stale":
      return { problem: messages.addressing.stale, version: done.version };
    default:
      return { problem: messages.addressing[done.why], isOver: true };
  }
}

export default function OrderAddress({ loaderData, actionData }: Route.ComponentProps) {
  useOwner(loaderData?.uid);
  const isBusy = useNavigation().formAction !== undefined;
  if (!loaderData) return <LoginForOrder title="Change the address" />;
  const { number, reference, offer, closed } = loaderData;
  const back = `/order/${reference}`;
  const isOpen = offer !== null && !actionData?.isOver;
  return (
    <OwnChangePage
      title="Change the address"
      number={number}
      reference={reference}
      answer={actionData}
      problem={actionData?.problem}
      closed={closed}
    >
      {isOpen ? (
        <>
          <div className="grid gap-4">
            <p>
              {`We haven’t packed it yet, so you can still change where it goes. You paid ${offer.paid} for delivery (${wayOf(offer.form)}): choose any place where it costs no more. If it costs less there, we don’t refund the difference.`}
            </p>
            <p>
              <span>To send it elsewhere or in another way,</span>{" "}
              <Link to={`${back}/cancel`} className="underline underline-offset-4">
                cancel this order
              </Link>{" "}
              <span>and order again.</span>
            </p>
          </div>
          <AddressForm {...offer} back={back} answer={actionData} busy={isBusy} />
        </>
      ) : undefined}
    </OwnChangePage>
  );
}

/** How the order is delivered, which stays. */
function wayOf({ deliveryType, country }: { deliveryType: string; country: string }): string {
  return [deliveryType, country].filter(Boolean).join(", ");
}
