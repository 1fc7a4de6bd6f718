/** The header that carries the client's address to the routes. */
export const CLIENT_ADDRESS_HEADER = "x-irepo-client";

export function addressOf({ headers }: Request): string {
  return headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}

/** A network whose requests are counted together. Its limits are those of one visitor, times `visitors`. */
export type Network = { name: string; visitors: number };

/**
 * The owner of an IPv6 network (/64) may well own all of a /56 or /48, as providers and hosts assign them. So these
 * wider networks are counted as well. Each counts as a few visitors only, although many people may be in it.
 */
const WIDER = [
  { bits: 56, visitors: 4 },
  { bits: 48, visitors: 16 },
];

/** The networks in which an address is counted, the narrowest first: that of one visitor. */
export function networksOf(address: string): [Network, ...Network[]] {
  const narrowest = { name: networkOf(address), visitors: 1 };
  if (!address.includes(":")) return [narrowest];
  return [narrowest, ...WIDER.map(({ bits, visitors }) => ({ name: prefixOf(address, bits), visitors }))];
}

/** The network that counts as one visitor: an IPv4 address, or a household's IPv6 network (/64). */
export function networkOf(address: string): string {
  return address.includes(":") ? prefixOf(address, 64) : address;
}

/** The first bits of an IPv6 address; `bits` is 64 at most, and a multiple of 8. */
function prefixOf(address: string, bits: number): string {
  const kept = groupsOf(address)
    .slice(0, Math.ceil(bits / 16))
    .map((group, at) => (bits - at * 16 >= 16 ? group : (Number.parseInt(group, 16) & 0xff00).toString(16)));
  return `${kept.join(":")}::/${bits}`;
}

function groupsOf(address: string): string[] {
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const groups = address.includes("::")
    ? [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right]
    : left;
  return groups.map((group) => group.replace(/^0+(?=.)/, ""));
}
