import { typedText } from "#app/infra/text/typed-text.ts";

const LONGEST = 200;

/** The URL parameter `name` as a search text, at most 200 characters. Undefined if it is empty. */
export function soughtText(params: URLSearchParams, name: string): string | undefined {
  return (
    typedText(params.get(name) ?? "")
      .trim()
      .slice(0, LONGEST) || undefined
  );
}
