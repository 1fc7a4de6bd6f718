import { linkIn, mailTo } from "./mailbox.ts";
import type { RunningShop } from "./running-shop.ts";

export const PASSWORD = "harmony";
export const LAGOS = {
  country: "Nigeria",
  firstName: "Ada",
  lastName: "Obi",
  email: "ada@example.com",
  phoneNumber: "08031234567",
  deliveryType: "Home Delivery",
  state: "Lagos",
  address: "1 Broad Street",
};

export type Visitor = ReturnType<typeof newVisitor>;

/** A browser without script: it keeps cookies and posts forms, but follows no redirect by itself. */
export function newVisitor(url: string) {
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  return {
    get: (path: string, headers?: Record<string, string>) => ask(path, { headers }),
    /** Posts a form. FormData is for forms with files. */
    post: (path: string, fields: Record<string, string> | FormData, headers?: Record<string, string>) =>
      ask(path, { method: "POST", body: fields instanceof FormData ? fields : new URLSearchParams(fields), headers }),
    cookies,
  };
}

/** A visitor who has registered, verified the address and logged in. */
export async function newCustomer(
  shop: Pick<RunningShop, "url" | "dataDir">,
  email: string,
  password = PASSWORD,
): Promise<Visitor> {
  const visitor = newVisitor(shop.url);
  await visitor.post("/register", { firstName: "Ada", lastName: "Obi", email, password });
  const { text } = await mailTo(shop.dataDir, email, /Verify/);
  const oobCode = new URL(linkIn(text, "oobCode=")).searchParams.get("oobCode") ?? "";
  await visitor.post("/verification", { oobCode });
  const login = await visitor.post("/login", { email, password });
  if (login.status !== 303) throw new Error(`${email} could not log in: ${login.status}`);
  return visitor;
}

const AGREED = ["shownCents", "agreedKobo", "agreesToNoHold"];

/** The hidden fields of a page with a refused form. Sending them agrees to the sums that the page shows. */
export async function shownOn(page: Response): Promise<Record<string, string>> {
  const html = await page.text();
  const values = AGREED.map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Pays without script: the first press makes the page show the sum with delivery, the second one agrees to the sum. */
export async function pressPay(visitor: Visitor, form: Record<string, string> = LAGOS): Promise<Response> {
  return visitor.post("/checkout", { ...form, ...(await shownOn(await visitor.post("/checkout", form))) });
}

/**
 * Chooses an outcome on the provider's page, as the form there does without script. Returns the reference with which
 * the provider redirects back, or an empty text if there is no redirect.
 */
export async function endPayment(payPage: string, outcome: string): Promise<string> {
  const body = new URLSearchParams({ outcome });
  const answer = await fetch(payPage, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? payPage).searchParams.get("reference") ?? "";
}

/** Whether a stream of /api/live reports two pieces before it ends. */
export const hearsOfTwo = (stream: Response) => hearsOf(2, stream);

/** Whether a stream of /api/live reports so many pieces before it ends. */
export async function hearsOf(count: number, { body }: Response): Promise<boolean> {
  let said = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    said += part;
    if (said.includes(`"count":${count}`)) return true;
  }
  return false;
}
