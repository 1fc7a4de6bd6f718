/** Shorter names are similar to many names of other programs. */
const SHORTEST = 7;
const SHORTEST_OF_TWO_ERRORS = 10;

/**
 * Names in the environment that look like misspelled settings, each with the setting that is probably meant: a setting
 * with a similar name that is not given.
 */
export function misspelledNames(given: readonly string[], known: readonly string[]): { name: string; meant: string }[] {
  const open = known.filter((name) => name.length >= SHORTEST && !given.includes(name));
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = open.find((one) => isNear(name, one));
      return meant ? [{ name, meant }] : [];
    });
}

function isNear(name: string, meant: string): boolean {
  if (plain(name) === plain(meant)) return true;
  if (isOfATool(meant)) return false;
  const upper = name.toUpperCase();
  const most = meant.length < SHORTEST_OF_TWO_ERRORS ? 1 : 2;
  // A letter too many or missing is an error, so most names need not be compared: this runs at each start.
  return Math.abs(upper.length - meant.length) <= most && errorsBetween(upper, meant) <= most;
}

const plain = (name: string) => name.toUpperCase().replace(/[^A-Z\d]/g, "");

/** The variables of a tool share a prefix, and many of their names differ by few letters. */
const isOfATool = (name: string) => /^(AWS|OTEL|NODE)_/.test(name);

/** How many letters are wrong, missing, too many, or have changed places with their neighbour. */
function errorsBetween(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1)];
      row.push(Math.min(...ways, isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;
