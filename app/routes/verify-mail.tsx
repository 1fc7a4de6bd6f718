import { AuthPage } from "#app/account/auth-page.tsx";
import { MailSent } from "#app/account/link/mail-sent.tsx";
import { mailAgain, mailedTo } from "#app/account/link/mailed.server.ts";
import * as messages from "#app/messages.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/verify-mail";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Verify your email", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function loader({ request }: Route.LoaderArgs) {
  return mailedTo(request);
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, { problem: messages.form.unavailable });
}

export function action({ request }: Route.ActionArgs) {
  return mailAgain(request, "verify");
}

export default function VerifyMail({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AuthPage isShort title={messages.register.verifyPageTitle} intro={messages.register.verifyPage}>
      <ButtonLink to="/login">I have verified my account</ButtonLink>
      {loaderData && <MailSent {...loaderData} problem={actionData?.problem} otherAddress="/register" />}
    </AuthPage>
  );
}
