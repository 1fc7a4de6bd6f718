import { fold } from "#app/infra/text/fold.ts";
import type { Keyset } from "#app/owner/keyset.server.ts";
import { endOfDay, startOfDay } from "#app/owner/shop-time.server.ts";
import { soughtText } from "./sought-text.ts";

/** The page of a list that its URL asks for. */
export function keysetOf(params: URLSearchParams): Keyset {
  return { before: params.get("before") ?? undefined, after: params.get("after") ?? undefined };
}

/** The parameters of a list's URL. Missing and invalid ones are undefined. */
export function listParams(params: URLSearchParams) {
  const oneOf = <T extends string>(name: string, all: readonly T[]) => all.find((one) => one === params.get(name));
  const yesOrNo = (name: string) => {
    const answer = oneOf(name, ["yes", "no"]);
    return answer && answer === "yes";
  };
  return {
    text: soughtText(params, "q"),
    tag: fold(soughtText(params, "tag") ?? "") || undefined,
    sort: oneOf("sort", ["oldest"]),
    from: startOfDay(params.get("from") ?? ""),
    until: endOfDay(params.get("until") ?? ""),
    textOf: (name: string) => soughtText(params, name),
    oneOf,
    yesOrNo,
  };
}
