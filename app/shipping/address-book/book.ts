import type { SavedAddress } from "#db/types.ts";
import { withOfferedPlaces } from "../check.ts";
import { HOME_DELIVERY, isNigeria, NIGERIA, type ShippingFields, type ShippingRates } from "../shipping.ts";

const PLACE = ["address", "apartment", "city", "state", "localGovernment", "landmark", "postalCode"] as const;
/** The fields of a saved address. */
export const ADDRESS_FIELDS = ["country", "firstName", "lastName", "phoneNumber", ...PLACE] as const;
type AddressFields = Record<(typeof ADDRESS_FIELDS)[number], string>;

/** The most addresses of an account. */
export const MOST_ADDRESSES = 10;

/** An address of the account. `isDefault`: it fills in the checkout at first. */
export type Saved = { id: string; isDefault: boolean; address: SavedAddress };

/** The part of a shipping form that is saved as an address. */
export function addressOf(form: AddressFields): SavedAddress {
  return Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, form[name]])) as SavedAddress;
}

/** The shipping form's fields for home delivery to an address; the others stay as they are. */
export function fieldsOf(address: SavedAddress): Omit<ShippingFields, "email" | "deliveryWay"> {
  return { ...address, deliveryType: isNigeria(address.country) ? HOME_DELIVERY : "", pickupCenter: "" };
}

/** The shipping form's fields for a home delivery whose place is not typed yet; the person stays. */
export function emptyPlace(): Partial<ShippingFields> {
  const place = Object.fromEntries(PLACE.map((name) => [name, ""]));
  return { ...place, country: NIGERIA.name, deliveryType: HOME_DELIVERY, pickupCenter: "" };
}

/**
 * What fills in the checkout: the last order's fields, with the place of the saved address that was `asked` for by its
 * id, an empty one if that is "", or the default if nothing was asked for. Null if no address has the id.
 */
export function fillsIn<Last extends Partial<ShippingFields>>(saved: Saved[], asked: string | null, last?: Last) {
  const one = saved.find(({ id, isDefault }) => (asked === null ? isDefault : id === asked));
  if (asked && !one) return null;
  const place: Partial<ShippingFields> | false = one ? fieldsOf(one.address) : asked === "" && emptyPlace();
  return place ? { ...last, ...place } : last;
}

export function isSameAddress(one: AddressFields, other: AddressFields): boolean {
  return ADDRESS_FIELDS.every((name) => one[name].trim() === other[name].trim());
}

/** The saved address that a shipping form has. Undefined for any other, and for pick-up. */
export function savedIn(fields: ShippingFields, saved: Saved[], rates: ShippingRates): Saved | undefined {
  return saved.find(({ address }) => {
    const filled = withOfferedPlaces({ ...fields, ...fieldsOf(address) }, rates);
    return filled.deliveryType === fields.deliveryType && isSameAddress(filled, fields);
  });
}
