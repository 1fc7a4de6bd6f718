import { data, Form, redirect } from "react-router";
import { z } from "zod";
import { AuthPage } from "#app/account/auth-page.tsx";
import { currentUser } from "#app/account/session/store.server.ts";
import { lineFields } from "#app/cart/change-fields.ts";
import { confirmAlert, requestAlert } from "#app/catalog/stock-alerts/alerts.server.ts";
import { alertText, type StockAlertAnswer, StockAlertForm } from "#app/catalog/stock-alerts/form.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { DAY, HOUR } from "#app/infra/durations.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal, typedInto } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/back-in-stock";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Back in stock", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

const STATES = ["sent", "confirmed"] as const;

export function loader({ request }: Route.LoaderArgs) {
  const { searchParams: query } = new URL(request.url);
  return { code: query.get("code"), state: STATES.find((state) => query.has(state)) };
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedInto(request);
  return answerOrRefusal<StockAlertAnswer>(serverAction, { ok: false, problem: messages.form.unavailable, fields });
}

const form = z.object(lineFields);

export async function action({ request }: Route.ActionArgs) {
  const fields = await readForm(request);
  const refuse = (answer: { problem?: string; emailProblem?: string }, status = 400, headers?: HeadersInit) =>
    data<StockAlertAnswer>({ ok: false, ...answer, fields }, { status, headers });
  if (fields.code !== undefined) {
    if (await confirmAlert(db(), fields.code)) throw redirect("/backInStock?confirmed", 303);
    return refuse({ problem: messages.stockAlert.wrongCode });
  }
  const { data: line } = form.safeParse(fields);
  if (!line) return refuse({ problem: messages.cartOther.noSize });
  const email = normalizeEmail(fields.email ?? "");
  if (!isEmail(email)) return refuse({ emailProblem: messages.form.email });
  const user = await currentUser(request);
  const isProven = user?.emailVerified === true && user.email === email;
  // The network is checked first: a request refused there must not be counted for the address.
  const turn = await networkTurn(db(), request, "stock alert", [30, HOUR]);
  const limited = turn.ok
    ? await limit(db(), isProven ? [`stock alerts of ${user.id}`, 100, HOUR] : [`stock alert to ${email}`, 5, DAY])
    : turn;
  if (!limited.ok)
    return refuse({ problem: messages.form.tooOften }, 429, { "Retry-After": String(limited.retryAfter) });
  const asked = await requestAlert(db(), { productId: line.id, size: line.size, email }, isProven);
  if (!asked.ok) return refuse({ problem: asked.problem });
  if (isPlainForm(request)) throw redirect(`/backInStock?${asked.isConfirmed ? "confirmed" : "sent"}`, 303);
  return data<StockAlertAnswer>(asked);
}

/** The page that a sold-out product's form leads to without JavaScript, and the target of the link in the mail. */
export default function BackInStock({ loaderData: { code, state }, actionData }: Route.ComponentProps) {
  const answer = actionData;
  const form = useFocusAnswer(answer);
  const fields = answer?.ok === false ? answer.fields : {};
  if (state && !answer)
    return (
      <AuthPage title="Back in stock">
        <p role="status">{alertText(state === "confirmed")}</p>
        <ButtonLink to="/shop">Shop Now</ButtonLink>
      </AuthPage>
    );
  if (code !== null || fields.code !== undefined)
    return (
      <AuthPage title="Back in stock">
        {/* A button instead of a plain link, because mail scanners open links, too. */}
        <Form ref={form} method="post" className="grid gap-4">
          <FormError>{answer?.ok === false && answer.problem}</FormError>
          <input type="hidden" name="code" value={code ?? fields.code} />
          <Button>Yes, tell me once</Button>
        </Form>
      </AuthPage>
    );
  return (
    <AuthPage title="Back in stock" intro={fields.id ? undefined : messages.stockAlert.choose}>
      {fields.id && fields.size ? (
        <StockAlertForm productId={fields.id} sizes={[{ size: fields.size, available: 0 }]} posted={answer} />
      ) : (
        <ButtonLink to="/shop">Shop Now</ButtonLink>
      )}
    </AuthPage>
  );
}
