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

/** What was typed into the form of a client action, for its answer when none comes; passwords are not handed back. */
export async function typedInto(request: Request): Promise<Record<string, string>> {
  const fields = [...(await request.clone().formData())].map(([name, text]) => [name, String(text)]);
  return Object.fromEntries(fields.filter(([name]) => name !== "password"));
}

/** As `answerOr`; an answer that is not ok has status 400, after which the router fetches nothing anew. */
export async function answerOrRefusal<Answer extends { ok: boolean }>(
  ask: () => Promise<Answer>,
  unreached: NoInfer<Answer>,
) {
  const answer = await answerOr(ask, unreached);
  return answer.ok ? answer : data(answer, { status: 400 });
}
