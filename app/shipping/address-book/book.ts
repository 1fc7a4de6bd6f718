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
 * The address that fills in the checkout: the one that was `asked` for by its id, none if that is "", and the default
 * if nothing was asked for.
 */
export function fillsIn(saved: Saved[], asked: string | null): Saved | undefined {
  return saved.find(({ id, isDefault }) => (asked === null ? isDefault : id === asked));
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
