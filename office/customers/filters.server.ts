import type { CustomerSearch } from "#app/owner/customers/search.server.ts";
import type { Keyset } from "#app/owner/keyset.server.ts";

/** What a list's address asks for; what cannot be read is left out. */
export function customerSearchOf(params: URLSearchParams): CustomerSearch & Keyset {
  const text = (name: string) => params.get(name)?.trim().slice(0, 200) || undefined;
  const answers = new Map([
    ["yes", true],
    ["no", false],
  ]);
  const yesOrNo = (name: string) => answers.get(params.get(name) ?? "");
  return {
    sort: params.get("sort") === "oldest" ? "oldest" : undefined,
    text: text("q"),
    newsletter: yesOrNo("newsletter"),
    bought: yesOrNo("bought"),
    before: text("before"),
    after: text("after"),
  };
}
