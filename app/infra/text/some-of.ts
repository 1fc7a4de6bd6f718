/**
 * The first texts of a list, such as "Adire XL, Adire XXL and 2 more". `most`: how many are named. `count`: the length
 * of the whole list, if `texts` are only the first.
 */
export function someOf(
  texts: readonly string[],
  { most = texts.length, count = texts.length }: { most?: number; count?: number },
): string {
  const named = texts.slice(0, most);
  return named.join(", ") + (count > named.length ? ` and ${count - named.length} more` : "");
}
