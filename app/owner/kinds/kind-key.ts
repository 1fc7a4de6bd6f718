import { searchWords, singular } from "#app/catalog/search/words.ts";
import { fold } from "#app/infra/text/fold.ts";

/**
 * A kind's name or id without its spelling, as files of other shops name kinds: that of "T-Shirts" is that of "Tee".
 * Empty only for an empty name.
 */
export function kindKey(name: string): string {
  return searchWords(name).map(singular).join(" ") || fold(name) || name.trim();
}
