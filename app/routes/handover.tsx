import { data, Form, redirect, useNavigation } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import * as messages from "#app/messages.ts";
import { confirmHandover, readHandover } from "#app/orders/handover/handover.server.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/handover";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Confirm delivery", hidden: true });

/** Passes on the headers of an answer, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders, errorHeaders }) => errorHeaders ?? actionHeaders;

/** Wrong links that one network may try within ten minutes, and codes that it may enter, before it has to wait. */
const AT_ONCE = [30, 10 * MINUTE] as const;

/**
 * The state of the link, and nothing about the order. Opening it changes nothing: chats fetch it for previews. 404
 * for a link that opens nothing.
 */
export async function loader({ request, params }: Route.LoaderArgs) {
  const stand = await readHandover(db(), params.code);
  if (stand) return { stand };
  const turn = await networkTurn(db(), request, "wrong handover links", AT_ONCE);
  if (!turn.ok) throw data(null, { status: 429, headers: { "Retry-After": String(turn.retryAfter) } });
  throw data(null, { status: 404 });
}

/** Errors by field; `form` is about the form as a whole. */
type Answer = { errors: { code?: string; form?: string } };

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return data(await answerOr<Answer>(serverAction, { errors: { form: messages.form.unavailable } }), { status: 422 });
}

/** The id of the sentence that replaces the form. The focus moves there with the redirect. */
const OUTCOME = "outcome";

/**
 * Marks the order as delivered. 303 to the outcome on this page: delivered, also for a repetition, locked or ended. 422
 * for a wrong code.
 */
export async function action({ request, params }: Route.ActionArgs) {
  const turn = await networkTurn(db(), request, "handover codes", AT_ONCE);
  if (!turn.ok) {
    const answer: Answer = { errors: { form: messages.form.tooOften } };
    return data(answer, { status: 429, headers: { "Retry-After": String(turn.retryAfter) } });
  }
  const code = ((await readForm(request)).code ?? "").replaceAll(/\s/g, "");
  if (!/^\d{4}$/.test(code)) return refusal(messages.handover.digits);
  const done = await confirmHandover(db(), params.code, code);
  if (typeof done === "object") return refusal(messages.handover.wrong(done.left));
  throw redirect(`/handover/${encodeURIComponent(params.code)}#${OUTCOME}`, 303);
}

function refusal(code: string) {
  return data<Answer>({ errors: { code } }, { status: 422 });
}

/** The page of whoever hands a parcel over. It names neither the order nor its customer. */
export default function Handover({ loaderData: { stand }, actionData }: Route.ComponentProps) {
  const { name } = useBrand();
  const isBusy = useNavigation().formAction !== undefined;
  const form = useFocusAnswer(actionData);
  const [errors, onInput] = useErrors(actionData?.errors);
  return (
    <main className="page grid max-w-[36rem] content-start gap-6 py-7 lg:py-12">
      <div className="grid gap-2">
        <p className="text-muted">{`A parcel from ${name}`}</p>
        <h1 className="headline text-3xl sm:text-5xl">Confirm delivery</h1>
      </div>
      {stand === "open" ? (
        <>
          <p>Ask the person who receives the parcel for the code on their order’s page.</p>
          <Form ref={form} method="post" onInput={onInput} noValidate className="grid gap-4">
            <FormError>{errors.form}</FormError>
            <Field
              label="Code"
              name="code"
              inputMode="numeric"
              autoComplete="off"
              required
              hint="Four digits"
              error={errors.code}
            />
            <Button busy={isBusy}>Confirm delivery</Button>
          </Form>
        </>
      ) : (
        <p id={OUTCOME} role="status" tabIndex={-1} className="text-lg outline-none">
          {messages.handover[stand]}
        </p>
      )}
      <Help about="a delivery" />
    </main>
  );
}
