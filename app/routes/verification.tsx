import { useEffect, useRef } from "react";
import { data, redirect, useFetcher, useLocation } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { NewLinkForm } from "#app/account/link/new-link-form.tsx";
import { openedLink } from "#app/account/link/opened.server.ts";
import { overText } from "#app/account/link/over-text.ts";
import { useCodeOutOfAddress } from "#app/account/link/use-code-out-of-address.browser.ts";
import { disownAccount, verifyEmail } from "#app/account/registration.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal } from "#app/ui/answer-or.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/verification";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Verify your email | Irepo", hidden: true });

/** Says of a link that is over that it is, and uses none up. */
export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const done = doneText(query.get("done"));
  if (done) return { code: "", state: "unknown" as const, disowns: false, done };
  const { headers, ...link } = await openedLink(request, "verify");
  return data({ ...link, disowns: query.has("disown"), done }, { headers });
}

/** What a form that was sent without script has done. */
function doneText(done: string | null): string | undefined {
  if (done === "verified") return messages.verification.done;
  return done === "removed" ? messages.verificationLink.disowned : undefined;
}

/** `again`: the code is as good as before. */
type Answer = { ok: boolean; message: string; again?: boolean };

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const lost = { ok: false, message: messages.verification.failed, again: true };
  return answerOrRefusal<Answer>(serverAction, lost);
}

export async function action({ request }: Route.ActionArgs) {
  const { oobCode = "", disown } = await readForm(request);
  const code = oobCode || (new URL(request.url).searchParams.get("oobCode") ?? "");
  const fail = (message: string, status = 400) =>
    data<Answer>({ ok: false, message, again: status !== 400 }, { status });
  if (!code) return fail(messages.verification.noCode);
  if (!(await guard(db(), request, "code", code.slice(0, 64))).ok) return fail(messages.form.tooOften, 429);
  try {
    const done = await (disown ? disownAccount : verifyEmail)(db(), code);
    if (!done.ok) return fail(overText(messages.verificationLink, done.why) ?? messages.verification.failed);
    const what = disown ? "removed" : "verified";
    if (isPlainForm(request)) return redirect(`/verification?done=${what}`, 303);
    return data<Answer>({ ok: true, message: doneText(what) ?? "" });
  } catch (error) {
    log.error({ err: error }, "verification failed");
    return fail(messages.verification.failed, 500);
  }
}

/** The script sends the form at once: where it has not come after some seconds, the shopper can. */
const LATE = "[@media(scripting:enabled)]:[animation:appear_0.01s_5s_both]";

/** The code is applied by a POST that this page makes: a mail scanner that only looks at the link uses nothing up. */
export default function Verification({ loaderData: { code, state, disowns, done }, actionData }: Route.ComponentProps) {
  const fetcher = useFetcher<Answer>();
  const { search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const answer = fetcher.data ?? actionData;
  const again = answer?.again && fetcher.state === "idle";
  const over = overText(messages.verificationLink, state);
  const { submit } = fetcher;
  useEffect(() => {
    if (code && form.current && !disowns && !actionData) void submit(form.current);
  }, [code, disowns, actionData, submit]);
  useCodeOutOfAddress(state === "live");
  useEffect(() => {
    if (answer && !answer.again) history.replaceState(history.state, "", "/verification");
  }, [answer]);
  if (answer && !answer.again) return <Ended ok={answer.ok} text={answer.message} />;
  if (done) return <Ended ok text={done} />;
  if (!code || over) return <Ended ok={false} text={over ?? messages.verification.noCode} />;
  const { working } = messages.verification;
  return (
    <AuthPage isShort title="Your email" intro={disowns ? messages.verificationLink.disown : !again && working}>
      <fetcher.Form ref={form} method="post" action={`/verification${search}`} className="grid gap-4">
        <input type="hidden" name="oobCode" value={code} />
        <FormError>{again && answer?.message}</FormError>
        {disowns ? (
          <Button name="disown" value="yes" busy={fetcher.state !== "idle"}>
            Remove the account
          </Button>
        ) : (
          <Button key={String(again)} className={again ? "" : LATE}>
            Verify my email
          </Button>
        )}
      </fetcher.Form>
    </AuthPage>
  );
}

function Ended({ ok, text }: { ok: boolean; text: string }) {
  return (
    <AuthPage
      isShort
      title="Your email"
      intro={
        <span role={ok ? "status" : "alert"} className={ok ? "" : "text-error"}>
          {text}
        </span>
      }
    >
      <ButtonLink to="/login">{ok ? "Login" : "To the login"}</ButtonLink>
      {!ok && text !== messages.verificationLink.used && <NewLinkForm purpose="verify" />}
    </AuthPage>
  );
}
