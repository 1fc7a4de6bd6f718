import { useEffect, useRef } from "react";
import { data, Form, redirect, useSubmit } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { disownAccount, verifyEmail } from "#app/account/registration.server.ts";
import { guard } from "#app/account/sign-in-guard.server.ts";
import { db } from "#app/infra/db.server.ts";
import { isPlainForm, readForm } from "#app/infra/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import { messages } from "#app/messages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/verification";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Verify your email | Irepo", hidden: true });

export function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  return { code: query.get("oobCode") ?? "", disowns: query.has("disown"), done: doneText(query.get("done")) };
}

/** What a form that was sent without script has done. */
function doneText(done: string | null): string | undefined {
  if (done === "verified") return messages.verification.done;
  return done === "removed" ? messages.verificationBeyond.disowned : undefined;
}

export async function action({ request }: Route.ActionArgs) {
  const { oobCode = "", disown } = await readForm(request);
  const code = oobCode || (new URL(request.url).searchParams.get("oobCode") ?? "");
  const fail = (message: string, status = 400) => data({ ok: false, message: message as string }, { status });
  if (!code) return fail(messages.verification.noCode);
  if (!(await guard(db(), request, "code", code.slice(0, 64))).ok) return fail(messages.form.tooOften, 429);
  try {
    const done = await (disown ? disownAccount : verifyEmail)(db(), code);
    const { used } = messages.verificationBeyond;
    if (!done.ok) return fail(done.why === "used" ? used : messages.verification.failed);
    const what = disown ? "removed" : "verified";
    if (isPlainForm(request)) return redirect(`/verification?done=${what}`, 303);
    return data({ ok: true, message: doneText(what) as string });
  } catch (error) {
    log.error({ err: error }, "verification failed");
    return fail(messages.verification.failed, 500);
  }
}

/** The code is applied by a POST that this page makes: a mail scanner that only looks at the link uses nothing up. */
export default function Verification({ loaderData: { code, disowns, done }, actionData }: Route.ComponentProps) {
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!code || disowns || !form.current) return;
    history.replaceState(history.state, "", "/verification");
    void submit(form.current, { replace: true });
  }, [code, disowns, submit]);
  if (actionData) return <Answer ok={actionData.ok} text={actionData.message} />;
  if (done) return <Answer ok text={done} />;
  if (!code) return <Answer ok={false} text={messages.verification.noCode} />;
  if (disowns) {
    return (
      <AuthPage title="Your email" intro={messages.verificationBeyond.disown}>
        <Form method="post" action="/verification" className="grid">
          <input type="hidden" name="oobCode" value={code} />
          <Button name="disown" value="yes">
            Remove the account
          </Button>
        </Form>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Your email" intro={messages.verification.working}>
      <Form ref={form} method="post" action="/verification">
        <input type="hidden" name="oobCode" value={code} />
        <Button className="w-full [@media(scripting:enabled)]:hidden">Verify my email</Button>
      </Form>
    </AuthPage>
  );
}

function Answer({ ok, text }: { ok: boolean; text: string }) {
  return (
    <AuthPage
      title="Your email"
      intro={
        <span role={ok ? "status" : "alert"} className={ok ? "" : "text-error"}>
          {text}
        </span>
      }
    >
      <ButtonLink to="/login">{ok ? "Login" : "To the login"}</ButtonLink>
    </AuthPage>
  );
}
