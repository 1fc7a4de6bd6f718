/** The sentences of an answer that replaces the usual one. In a page, such a sentence counts as much as a status. */
const WORDS = [
  "Card payments aren’t available right now",
  "We can’t reach the payment provider right now",
  "Your money goes back",
  "Your money is back",
  "Failed to sign in with Google",
  "store isn’t answering",
  "problem=away",
];

/** An answer other than the usual one. `outcome` describes it. */
export class Otherwise extends Error {
  readonly outcome: string;
  constructor(outcome: string) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** The time of a journey's slowest answer, in ms. */
export type Clock = { slowest: number };

/** Sends a request and reads the answer. Throws Otherwise unless the answer has this status and contains `says`. */
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

/** The outcome of a request that was refused because its network has too many under way. */
export const BUSY = "429, too many at once";

/** "says so", "503" or BUSY. An answer without a sentence, or without a time for the next try, is described instead. */
function outcomeOf({ status, headers }: Response, all: string, saysSo: boolean): string {
  if (status >= 500 && !headers.has("retry-after")) return `${status} without Retry-After: ${brief(all)}`;
  if (saysSo) return "says so";
  const text = all.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, " ");
  if (status === 503) return A_SENTENCE.test(text) ? "503" : "503 without a word";
  if (status === 429 && headers.has("retry-after") && all.includes("busy right now")) return BUSY;
  return `${status}: ${brief(text)}`;
}

const brief = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, 200);
