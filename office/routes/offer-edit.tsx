import { data, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { collectionChoices } from "#app/owner/collections/collections.server.ts";
import { sentenceOf, storedOffer } from "#app/owner/offers/offers.server.ts";
import { typedOf } from "#app/owner/offers/typed-offer.server.ts";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { EDIT_OFFER_CHANGES } from "../offers/changes.server.ts";
import { OfferScreen } from "../offers/screen.tsx";

export async function loader({ params: { id = "" }, context }: LoaderFunctionArgs) {
  requirePermission(context, "offers");
  const stored = /^\d{1,9}$/.test(id) ? await storedOffer(db(), Number(id)) : undefined;
  if (!stored || (stored.endsAt && stored.endsAt <= new Date())) throw data(null, 404);
  const collections = await collectionChoices(db());
  const sentence = await sentenceOf(db(), stored);
  return { id, typed: typedOf(stored), hasBegun: stored.hasBegun, sentence, collections };
}

export const action = changes(EDIT_OFFER_CHANGES);
export const clientAction = keepWhatIsTyped;

/** Reloads after a conflict, too. Not after other refusals: the offer may have ended, and then has no page here. */
export function shouldRevalidate(given: ShouldRevalidateFunctionArgs): boolean {
  return given.actionResult?.isStale === true || unlessOffline(given);
}

/** The form to change a stored offer that has not ended. */
export default function EditOffer() {
  const { id, collections, ...stored } = useLoaderData<typeof loader>();
  const { name } = stored.typed;
  return (
    <OfferScreen
      title={name}
      back={{ to: `/offers/${id}`, title: name }}
      collections={collections}
      stored={stored}
      submit="Save this offer"
    />
  );
}
