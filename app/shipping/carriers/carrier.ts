import { fold } from "#app/infra/text/fold.ts";

/** A carrier, and the address at which it shows a parcel, with {number} for the tracking number. */
export type Carrier = { name: string; address: string };

export const MOST_CARRIERS = 20;
const NUMBER = "{number}";
export const CARRIER_EXAMPLE = `https://example.com/track/${NUMBER}`;

/** The carriers of a text with one a line: its name, and then the address. All other lines are left out. */
export function readCarriers(text: string): Carrier[] {
  return text.split("\n").flatMap((line) => carrierIn(line) ?? []);
}

/** The carrier in a line; undefined if the line has no name, or no https address with one {number} after its host. */
export function carrierIn(line: string): Carrier | undefined {
  const [, name, address] = /^(\S.*?)\s+(https:\/\/\S+)$/.exec(line.trim()) ?? [];
  if (!name || !address || address.split(NUMBER).length !== 2 || name.length > 100) return;
  const url = URL.parse(address.replace(NUMBER, "1"));
  return url && URL.parse(address.replace(NUMBER, "2"))?.host === url.host ? { name, address } : undefined;
}

type Parcel = { carrier?: string | null; tracking?: string | null };

/** The address at which the parcel's carrier shows it. Undefined without a number, or if the carrier is unknown. */
export function trackingUrl(carriers: readonly Carrier[], { carrier, tracking }: Parcel): string | undefined {
  if (!carrier || !tracking) return;
  const known = carriers.find(({ name }) => fold(name) === fold(carrier));
  return known?.address.replace(NUMBER, () => encodeURIComponent(tracking));
}
