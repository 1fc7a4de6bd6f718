/**
 * The request with the address that its sender used. Behind a proxy that terminates TLS or names another host, the
 * router would refuse a form of the shop's own page, since it compares the address with the origin.
 */
export function asAddressed(raw: Request, { origin, protocol, hostname, port }: URL): Request {
  if (raw.headers.get("origin") !== origin) return raw;
  const url = new URL(raw.url);
  if (url.origin === origin) return raw;
  const { method, headers, body, signal } = raw;
  const init = { method, headers, signal, ...(body && { body, duplex: "half" }) };
  return new Request(Object.assign(url, { protocol, hostname, port }), init);
}
