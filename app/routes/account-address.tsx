import { data, redirect, useNavigation } from "react-router";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import * as messages from "#app/messages.ts";
import { readRatesNow } from "#app/orders/quote.server.ts";
import { changeAddress, noSuchAddress, saveAddress, savedAddresses } from "#app/shipping/address-book/book.server.ts";
import { addressOf, emptyPlace, fieldsOf, MOST_ADDRESSES } from "#app/shipping/address-book/book.ts";
import { type SavedAddressAnswer, SavedAddressForm } from "#app/shipping/address-book/form.tsx";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { loadShippingRates, offeredIn } from "#app/shipping/rates.server.ts";
import { HOME_DELIVERY, shippingFields } from "#app/shipping/shipping.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/account-address";

/** The id in the URL of the form for a new address. */
const NEW = "new";
const titleOf = (id: string) => (id === NEW ? "Add an address" : "Edit address");

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, { title: titleOf(params.id), hidden: true });

/** The form of a saved address, or of a new one. Status 404 for an address that is not this shopper's. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const [saved, now] = await Promise.all([savedAddresses(db(), user.id), readRatesNow(db())]);
  const { firstName, lastName } = user;
  const known = saved.find(({ id }) => id === params.id)?.address;
  if (!known && params.id !== NEW) throw noSuchAddress(user.id);
  const blank = { ...shippingFields(() => ""), firstName, lastName, ...emptyPlace() };
  return {
    uid: user.id,
    full: !known && saved.length >= MOST_ADDRESSES ? messages.addressBook.full(saved.length) : undefined,
    initial: { ...blank, ...(known && fieldsOf(known)), deliveryType: HOME_DELIVERY },
    rates: offeredIn(now.shipping),
    rate: now.exchange.rate,
  };
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const unreached = { problem: messages.form.unavailable };
  return data(await answerOr<SavedAddressAnswer>(serverAction, unreached), { status: 400 });
}

/** Saves the address. Status 303 if it is saved, also for a repetition; 400 with the errors by field. */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const { id } = params;
  const saved = await savedAddresses(db(), user.id);
  if (id !== NEW && !saved.some((address) => address.id === id)) throw noSuchAddress(user.id);
  const form = await readForm(request);
  const fields = { ...shippingFields((name) => form[name] ?? ""), email: user.email, deliveryType: HOME_DELIVERY };
  if (form.intent === "update") return data<SavedAddressAnswer>({ fields });
  const refuse = (answer: SavedAddressAnswer, status = 400) =>
    data<SavedAddressAnswer>({ ...answer, fields }, { status });
  if (!(await guard(db(), request, "settings", user.id)).ok) return refuse({ problem: messages.form.tooOften }, 429);
  const read = readShippingForm(new URLSearchParams(fields), await loadShippingRates(db()));
  if (!read.ok) return refuse({ problem: messages.form.lookAtMarked, errors: read.errors });
  const address = addressOf(read.form);
  if (id === NEW) {
    if (!(await saveAddress(db(), user.id, address)))
      return refuse({ problem: messages.addressBook.full(MOST_ADDRESSES) });
  } else if (!(await changeAddress(db(), user.id, id, address))) throw noSuchAddress(user.id);
  throw redirect("/account?saved=address#settings", 303);
}

export default function AccountAddress({ loaderData, actionData, params }: Route.ComponentProps) {
  useOwner(loaderData?.uid);
  const isBusy = useNavigation().formAction !== undefined;
  const main = useFocusAnswer<HTMLElement>(actionData);
  const title = titleOf(params.id);
  if (!loaderData) {
    return (
      <Notice title={title}>
        <p className="text-lg">{messages.account.signedOut}</p>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  const { full, initial, rates, rate } = loaderData;
  return (
    <main ref={main} className="page grid max-w-[48rem] gap-8 py-7 lg:py-12">
      <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
      <FormError>{actionData?.problem}</FormError>
      {full ? (
        <>
          {!actionData && <p>{full}</p>}
          <ButtonLink to="/account#settings" look="outline" className="justify-self-start">
            Back to my account
          </ButtonLink>
        </>
      ) : (
        <SavedAddressForm
          key={params.id} // the browser's history leads from one address to another
          initial={initial}
          rates={rates}
          rate={rate}
          answer={actionData}
          busy={isBusy}
        />
      )}
    </main>
  );
}
