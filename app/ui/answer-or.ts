import { data } from "react-router";

/**
 * The response of a page's action in the browser. If the server is not reached, it is `unreached`, so that the form
 * stays visible instead of an error page.
 */
export async function answerOr<Answer>(ask: () => Promise<Answer>, unreached: NoInfer<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Response) throw error; // a redirect
    return unreached;
  }
}

/**
 * The values of a form that a client action posts, for the case that the server is not reached. Passwords are left out.
 */
export async function typedInto(request: Request): Promise<Record<string, string>> {
  const fields = [...(await request.clone().formData())].map(([name, text]) => [name, String(text)]);
  return Object.fromEntries(fields.filter(([name]) => name !== "password"));
}

/** Like `answerOr`, but a result that is not ok gets status 400, so that the router does not reload the page's data. */
export async function answerOrRefusal<Answer extends { ok: boolean }>(
  ask: () => Promise<Answer>,
  unreached: NoInfer<Answer>,
) {
  const answer = await answerOr(ask, unreached);
  return answer.ok ? answer : data(answer, { status: 400 });
}
