import { data } from "react-router";

/** The answer of a page's action, for the browser; `unreached` when none comes, so that the form stays instead of an error page. */
export async function answerOr<Answer>(ask: () => Promise<Answer>, unreached: NoInfer<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Response) throw error; // a redirect
    return unreached;
  }
}

/** As `answerOr`; an answer that is not ok has status 400, after which the router fetches nothing anew. */
export async function answerOrRefusal<Answer extends { ok: boolean }>(
  ask: () => Promise<Answer>,
  unreached: NoInfer<Answer>,
) {
  const answer = await answerOr(ask, unreached);
  return answer.ok ? answer : data(answer, { status: 400 });
}
