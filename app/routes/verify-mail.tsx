import { AuthPage } from "#app/account/auth-page.tsx";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/verify-mail";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Verify your email | Irepo", hidden: true });

export default function VerifyMail() {
  return (
    <AuthPage isShort title={messages.register.verifyPageTitle} intro={messages.register.verifyPage}>
      <ButtonLink to="/login">I have verified my account</ButtonLink>
    </AuthPage>
  );
}
