import type { AppAddress } from "#tests/fuzz/apps.ts";

/** `as`: the Cookie header. */
export type Sent = {
  as?: string | undefined;
  form?: Record<string, string> | undefined;
  headers?: Record<string, string>;
};

/**
 * Asks the shop for a page, or posts a form, as a browser without script does. `cookie`: the Cookie header unless
 * another one is given. `to`: where a redirect leads, else empty.
 */
export function shopPages(shop: () => AppAddress, cookie = () => "") {
  return async (path: string, { as = cookie(), form, headers = {} }: Sent = {}) => {
    const { port, origin } = shop();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: form ? "POST" : "GET",
      headers: { host: new URL(origin).host, ...(form && { origin }), ...(as && { cookie: as }), ...headers },
      body: form && new URLSearchParams(form),
      redirect: "manual",
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString().replaceAll("<!-- -->", "");
    return { status: answer.status, to: answer.headers.get("location") ?? "", headers: answer.headers, text, bytes };
  };
}
