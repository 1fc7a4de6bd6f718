import { noteDatabaseTimeout } from "#app/infra/http/request-context.server.ts";
import { isStatementTimeout } from "./connection-errors.ts";
import type { Db } from "./db.server.ts";

/** In ms: how long a query that hangs delays the next query. */
const ROUND_TIMEOUT = 1000;

/**
 * Combines concurrent calls into one query: calls made while a query runs join the next one, so that no answer is older
 * than its call. All calls of one query get the same answer, or the same error.
 */
export function batched<Key = void, Answer = unknown>(
  ask: (on: Db, keys: Key[]) => Promise<Answer>,
): (on: Db, key: Key) => Promise<Answer> {
  type Round = { keys: Set<Key>; answer: Promise<Answer> };
  const rounds = new WeakMap<Db, { underWay: Promise<void>; next?: Round }>();

  return (on, key) => {
    const state = rounds.get(on) ?? { underWay: Promise.resolve() };
    rounds.set(on, state);
    if (!state.next) {
      const keys = new Set<Key>();
      const answer = state.underWay.then(() => {
        state.next = undefined;
        const asked = ask(on, [...keys]);
        state.underWay = endOf(asked);
        return asked;
      });
      state.next = { keys, answer };
    }
    state.next.keys.add(key);
    return state.next.answer.catch(failRequest);
  };
}

/**
 * Records a statement timeout for the caller's own request, so that it counts as retryable: the connection records it
 * only for the request in which the query began.
 */
function failRequest(error: unknown): never {
  if (isStatementTimeout(error)) noteDatabaseTimeout();
  throw error;
}

async function endOf(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ROUND_TIMEOUT);
  });
  await Promise.race([answer.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
