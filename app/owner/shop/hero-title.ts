/**
 * The most lines of the large title, and the most letters per line: what fits a phone, and the left half of a screen.
 */
export const TITLE_LINES = 3;
export const TITLE_LINE = 12;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The length in letters as a reader counts them: Ọ̀ is one, however it is encoded. */
function lettersOf(text: string): number {
  return [...graphemes.segment(text)].length;
}

/** The title as the shop shows it. Lines that are too long are wrapped between words. */
export function brokenTitle(text: string): string {
  return text
    .normalize("NFC")
    .split("\n")
    .flatMap((line) => wrapped(line.split(/\s+/).filter(Boolean)))
    .join("\n");
}

function wrapped(words: string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && lettersOf(longer) <= TITLE_LINE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The problem of a title that `brokenTitle` has wrapped. Undefined if there is none. */
export function titleProblem(title: string): string | undefined {
  const lines = title.split("\n");
  if (title === "") return "Give it a title";
  if (lines.some((line) => lettersOf(line) > TITLE_LINE)) return `At most ${TITLE_LINE} letters in a word`;
  return lines.length > TITLE_LINES ? `At most ${TITLE_LINES} lines of ${TITLE_LINE} letters` : undefined;
}
