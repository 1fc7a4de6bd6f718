/** A request as its sender addressed it: behind a proxy that ends TLS (or names another host) the router would refuse our own page's form, since it compares addresses with the origin. */
export function asAddressed(raw: Request, { origin, protocol, hostname, port }: URL): Request {
  if (raw.headers.get("origin") !== origin) return raw;
  const url = new URL(raw.url);
  if (url.origin === origin) return raw;
  const { method, headers, body, signal } = raw;
  const init = { method, headers, signal, ...(body && { body, duplex: "half" }) };
  return new Request(Object.assign(url, { protocol, hostname, port }), init);
}
