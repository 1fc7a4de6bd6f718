import { AuthPage } from "#app/account/auth-page.tsx";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/check-mail";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Check your mail | Irepo", hidden: true });

export default function CheckMail() {
  return (
    <AuthPage isShort title="Check your Mail" intro={messages.forgot.done}>
      <ButtonLink to="/login">Continue to Login</ButtonLink>
    </AuthPage>
  );
}
