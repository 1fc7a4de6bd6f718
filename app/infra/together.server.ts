import type { Db } from "./db.server.ts";

/**
 * Asks once for everybody who asks at the same time: what comes while a question is on its way goes with the next one, so no answer is older
 * than its question. Under load that is one round trip for many. All of a round get the same answer, or the same error.
 */
export function together<Key, Answer>(
  ask: (on: Db, keys: Key[]) => Promise<Answer>,
): (on: Db, key: Key) => Promise<Answer> {
  type Round = { keys: Set<Key>; answer: Promise<Answer> };
  const rounds = new WeakMap<Db, { underWay: Promise<unknown>; next?: Round }>();

  return (on, key) => {
    const state = rounds.get(on) ?? { underWay: Promise.resolve() };
    rounds.set(on, state);
    if (!state.next) {
      const keys = new Set<Key>();
      const answer = state.underWay.then(() => {
        state.next = undefined;
        return ask(on, [...keys]);
      });
      state.next = { keys, answer };
      state.underWay = answer.catch(() => undefined);
    }
    state.next.keys.add(key);
    return state.next.answer;
  };
}
