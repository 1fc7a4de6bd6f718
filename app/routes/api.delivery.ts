import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { countryOf } from "#app/infra/http/visitor-country.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { lastShipping } from "#app/orders/lifecycle.server.ts";
import { arrivalDates } from "#app/shipping/business-days.ts";
import { placeKey, placesOf } from "#app/shipping/place/places.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { destinationOf } from "#app/shipping/shipping.ts";

/**
 * The shop's delivery places and that of this visitor: {places: [{key, name, rateCents}], dates: {nigeria, abroad},
 * known: a key or null}. `known` comes from the last order, or else from a country abroad. The response is for one
 * visitor and is not cached.
 */
export async function get(request: Request): Promise<ApiAnswer> {
  const user = await currentUser(request);
  const [rates, last] = await Promise.all([loadShippingRates(db()), user && lastShipping(db(), user.id)]);
  const detected = countryOf(request);
  const destination = last ? destinationOf(last, rates) : detected && destinationOf(abroad(detected), rates);
  const known = destination ? placeKey(destination) : null;
  const { numbers = SHIPPED_NUMBERS } = knownShopSettings();
  return { json: { places: placesOf(rates), dates: arrivalDates(new Date(), env.SHOP_TIMEZONE, numbers), known } };
}

function abroad(country: string) {
  return { country, deliveryType: "", state: "", pickupCenter: "" };
}
