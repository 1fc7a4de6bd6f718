import { data } from "react-router";

/** What a page's own action answers in the browser; `unreached` when no answer comes, so that the form stays as it is instead of an error page. */
export async function answerOr<Answer>(ask: () => Promise<Answer>, unreached: NoInfer<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Response) throw error; // a way to another page
    return unreached;
  }
}

/** As `answerOr`, with a refusal as one: after it nothing is fetched anew. */
export async function answerOrRefusal<Answer extends { ok: boolean }>(
  ask: () => Promise<Answer>,
  unreached: NoInfer<Answer>,
) {
  const answer = await answerOr(ask, unreached);
  return answer.ok ? answer : data(answer, { status: 400 });
}
