/** The header that carries the client's address to the routes. */
export const CLIENT_ADDRESS_HEADER = "x-irepo-client";

export function addressOf({ headers }: Request): string {
  return headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
}

/** The network that counts as one visitor: an IPv4 address, or a household's IPv6 network (/64). */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const groups = address.includes("::")
    ? [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
