/** What an answer in place of the usual one says to whoever gets it; found in a page, it is as good as a status. */
const WORDS = [
  "Card payments cannot be reached right now",
  "The payment provider cannot be reached right now",
  "Your money goes back",
  "Your money is back",
  "Failed to sign in with Google",
  "store does not answer",
  "problem=away",
];

/** An answer other than the usual one; what it is stands in `outcome`. */
export class Otherwise extends Error {
  readonly outcome: string;
  constructor(outcome: string) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** When the answers of a journey have come, in ms. */
export type Clock = { slowest: number };

/** Asks, and reads the answer; throws Otherwise unless it has this status and says this. */
export async function expectAnswer(
  clock: Clock,
  ask: () => Promise<Response>,
  status: number,
  says = "",
): Promise<{ location: string; body: string; answer: Response }> {
  const begun = performance.now();
  const answer = await ask();
  const body = await answer.text();
  clock.slowest = Math.max(clock.slowest, performance.now() - begun);
  const location = answer.headers.get("location") ?? "";
  const all = `${location}\n${body}`;
  const isOther = WORDS.some((words) => all.includes(words) && !says.includes(words));
  if (answer.status === status && all.includes(says) && !isOther) return { location, body, answer };
  throw new Otherwise(outcomeOf(answer, all, isOther));
}

const A_SENTENCE = /\w+ \w+ \w+/;

/** "says so", "503" or, where somebody is left without a word or without knowing when to ask again, what came instead. */
function outcomeOf({ status, headers }: Response, all: string, saysSo: boolean): string {
  if (status >= 500 && !headers.has("retry-after")) return `${status} without Retry-After: ${brief(all)}`;
  if (saysSo) return "says so";
  const text = all.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, " ");
  if (status === 503) return A_SENTENCE.test(text) ? "503" : "503 without a word";
  return `${status}: ${brief(text)}`;
}

const brief = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
