export const RATE_KINDS = ["state", "pickup", "country"] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** The rate of delivery to a place. For a pick-up centre, `details` has its address, opening hours and so on. */
export type PlaceRate = { rateCents: number; details: Record<string, string> };
/** `name` is a state, a pick-up centre or an ISO 3166 alpha-2 code. */
export type DeliveryPlace = PlaceRate & { kind: RateKind; name: string };

/** A change of one place: its values when the editor opened it, and the new ones. Null if the place does not exist. */
export type PlaceEdit = { kind: RateKind; name: string; was: PlaceRate | null; now: PlaceRate | null };

/** A place's unique key, as the audit log uses it: "state Lagos". */
export const placeKey = ({ kind, name }: { kind: RateKind; name: string }) => `${kind} ${name}`;
