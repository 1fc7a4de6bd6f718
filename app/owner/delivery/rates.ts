export const RATE_KINDS = ["state", "pickup", "country"] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** What delivery to one place costs; of a pick-up centre also where it is and when it is open. */
export type PlaceRate = { rateCents: number; details: Record<string, string> };
/** `name` is a state, a pick-up centre or an ISO 3166 alpha-2 code. */
export type DeliveryPlace = PlaceRate & { kind: RateKind; name: string };

/** A change of one place: as it was when somebody began to change it, and as it is to be. Null: it is not there. */
export type PlaceEdit = { kind: RateKind; name: string; was: PlaceRate | null; now: PlaceRate | null };

/** Names a place among all kinds, as the audit log does: "state Lagos". */
export const placeKey = ({ kind, name }: { kind: RateKind; name: string }) => `${kind} ${name}`;
