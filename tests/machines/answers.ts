import { setTimeout as sleep } from "node:timers/promises";

/**
 * What shoppers got. `page`: what they asked for, or the reason why not (sold out). `honest`: status 503 with the
 * shop's own sentence and Retry-After. `odd`: anything else.
 */
export type Kind = "page" | "honest" | "odd";
export type Success = "write" | "order";
export type Answers = ReturnType<typeof countAnswers>;

const SENTENCE = /try again in a moment/i;
/** The pause before a shopper presses again, in ms. */
const PRESSES_AGAIN_AFTER = 500;

/** Counts the answers, and records when something has succeeded. */
export function countAnswers() {
  const counts: Record<Kind, number> = { page: 0, honest: 0, odd: 0 };
  const odd: string[] = [];
  const slowest = { ms: 0, what: "" };
  const successes: { what: Success; begunAt: number; endedAt: number }[] = [];

  const succeeded = (what: Success, begunAt: number) =>
    void successes.push({ what, begunAt, endedAt: performance.now() });

  async function once(what: string, asking: () => Promise<Response>): Promise<Response | undefined> {
    const begunAt = performance.now();
    try {
      const response = await asking();
      const text = await response.clone().text();
      const kind = kindOf(response, text);
      counts[kind]++;
      if (kind === "odd") odd.push(`${response.status} ${new URL(response.url).pathname}: ${wordsOf(text)}`);
      if (kind === "page" && what === "write" && response.status === 303) succeeded("write", begunAt);
      return kind === "page" ? response : undefined;
    } catch (error) {
      counts.odd++;
      odd.push(`${what}: ${error instanceof Error ? (error.cause ?? error) : error}`);
    } finally {
      const ms = performance.now() - begunAt;
      if (ms > slowest.ms) Object.assign(slowest, { ms, what });
    }
  }
  return {
    counts,
    odd,
    slowest,
    succeeded,
    /** Asks until there is a page, or until `over`. */
    async insist(what: string, asking: () => Promise<Response>, over: () => boolean): Promise<Response | undefined> {
      while (!over()) {
        const answer = await once(what, asking);
        if (answer) return answer;
        await sleep(PRESSES_AGAIN_AFTER);
      }
    },
    /** When the first success ended that was asked for after `time`. Both are times of performance.now. */
    firstAfter: (what: Success, time: number): number | undefined =>
      successes.find((one) => one.what === what && one.begunAt > time)?.endedAt,
  };
}

/** The text of a page without its frame. */
function wordsOf(html: string): string {
  const [, main = html] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  return main
    .replaceAll(/<script.*?<\/script>|<[^>]+>/gs, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

/**
 * Whether an answer is data for the router's script. On a failure, the page that runs this script shows the sentence.
 */
const isData = (headers: Headers) => headers.get("content-type")?.startsWith("text/x-script") ?? false;

function kindOf({ status, headers }: Response, text: string): Kind {
  if (status === 503) return headers.has("retry-after") && (isData(headers) || SENTENCE.test(text)) ? "honest" : "odd";
  return status < 400 || (status === 400 && text) ? "page" : "odd";
}
