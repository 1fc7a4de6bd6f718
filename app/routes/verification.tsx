import { useEffect, useRef } from "react";
import { data, redirect, useFetcher, useLocation } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { newPasswordField } from "#app/account/fields.ts";
import { NewLinkForm } from "#app/account/link/new-link-form.tsx";
import { openedLink } from "#app/account/link/opened.server.ts";
import { overText } from "#app/account/link/over-text.ts";
import { type ProofErrors, ProofForm } from "#app/account/link/proof-form.tsx";
import { browserHash } from "#app/account/link/registering-browser.server.ts";
import { useCodeOutOfAddress } from "#app/account/link/use-code-out-of-address.browser.ts";
import { asksPassword, verifyEmail } from "#app/account/link/verify.server.ts";
import { disownAccount } from "#app/account/registration.server.ts";
import { markDevice } from "#app/account/session/known-device.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { useBrand } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal } from "#app/ui/answer-or.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/verification";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Verify your email", hidden: true });

/** The state of the link, without using it up. */
export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const done = doneText(query.get("done"));
  if (done) return { code: "", state: "unknown" as const, disowns: false, asks: false, done };
  const { headers, ...link } = await openedLink(request, "verify");
  const disowns = query.has("disown");
  const asks = !disowns && (await asksPassword(db(), link.code, browserHash(request)));
  return data({ ...link, disowns, asks, done }, { headers });
}

/** The message about a form that was posted without JavaScript. */
function doneText(done: string | null): string | undefined {
  if (done === "verified") return messages.verification.done;
  return done === "removed" ? messages.verificationLink.disowned : undefined;
}

/** `again`: the code is still valid; `asks`: a password is needed. */
type Answer = {
  ok: boolean;
  message: string;
  /** Whether the link was used already. */
  isUsed?: boolean;
  again?: boolean;
  asks?: boolean;
  errors?: ProofErrors;
};

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const lost = { ok: false, message: messages.verification.failed, again: true };
  return answerOrRefusal<Answer>(serverAction, lost);
}

export async function action({ request }: Route.ActionArgs) {
  const { oobCode = "", disown, ...given } = await readForm(request);
  const code = oobCode || (new URL(request.url).searchParams.get("oobCode") ?? "");
  const fail = (message: string, status = 400) =>
    data<Answer>({ ok: false, message, again: status !== 400 }, { status });
  if (!code) return fail(messages.verification.noCode);
  if (!(await guard(db(), request, "code", code.slice(0, 64))).ok) return fail(messages.form.tooOften, 429);
  try {
    const errors = disown ? {} : problemsOf(given);
    if (errors.password || errors.newPassword) return ask(errors);
    const { password, newPassword } = given;
    const proof = { browser: browserHash(request), password, newPassword };
    const done = await (disown ? disownAccount(db(), code) : verifyEmail(db(), code, proof));
    if (!done.ok && done.why === "unproved") return ask({});
    if (!done.ok && done.why === "wrong-password") return ask({ password: messages.verificationLink.wrongPassword });
    if (!done.ok && done.why === "used")
      return data<Answer>({ ok: false, message: messages.verificationLink.used, isUsed: true }, { status: 400 });
    if (!done.ok) return fail(overText(messages.verificationLink, done.why) ?? messages.verification.failed);
    const what = disown ? "removed" : "verified";
    const headers = done.userId ? { "Set-Cookie": await markDevice(db(), done.userId) } : undefined;
    if (isPlainForm(request)) return redirect(`/verification?done=${what}`, { status: 303, headers });
    return data<Answer>({ ok: true, message: doneText(what) ?? "" }, { headers });
  } catch (error) {
    log.error({ err: error }, "verification failed");
    return fail(messages.verification.failed, 500);
  }
}

const newPasswordRule = newPasswordField("new password");

function problemsOf({ password, newPassword }: Record<string, string>): ProofErrors {
  if (newPassword !== undefined)
    return { newPassword: newPasswordRule.safeParse(newPassword).error?.issues[0]?.message };
  return { password: password === "" ? messages.form.required("password") : undefined };
}

function ask(errors: ProofErrors) {
  return data<Answer>({ ok: false, message: "", again: true, asks: true, errors }, { status: 400 });
}

/**
 * Shows the button after 5 s. With JavaScript the form is sent automatically, so the button is needed only if the
 * script has not loaded.
 */
const LATE = "[@media(scripting:enabled)]:[animation:appear_0.01s_5s_both]";

/**
 * In the browser that registered, the page applies the code by an automatic POST; in any other browser a password is
 * needed. A mail scanner that opens the link, with or without JavaScript, verifies nothing and does not use up the
 * code.
 */
export default function Verification({ loaderData, actionData }: Route.ComponentProps) {
  const { name } = useBrand();
  const { code, state, disowns, done } = loaderData;
  const fetcher = useFetcher<Answer>();
  const { search } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const answer = fetcher.data ?? actionData;
  const again = answer?.again && fetcher.state === "idle";
  const over = overText(messages.verificationLink, state);
  const asks = loaderData.asks || (answer?.asks ?? false);
  const { submit } = fetcher;
  useEffect(() => {
    if (code && form.current && !disowns && !asks && !actionData) void submit(form.current);
  }, [code, disowns, asks, actionData, submit]);
  useCodeOutOfAddress(state === "live");
  useEffect(() => {
    if (answer && !answer.again) history.replaceState(history.state, "", "/verification");
  }, [answer]);
  if (answer && !answer.again) return <Ended ok={answer.ok} text={answer.message} isUsed={answer.isUsed} />;
  if (done) return <Ended ok text={done} />;
  if (!code || over) return <Ended ok={false} text={over ?? messages.verification.noCode} isUsed={state === "used"} />;
  const { working } = messages.verification;
  const action = `/verification${search}`;
  if (asks) {
    return (
      <AuthPage title="Your email" intro={messages.verificationLink.asks}>
        <ProofForm {...{ fetcher, action, code, answer }} />
      </AuthPage>
    );
  }
  return (
    <AuthPage isShort title="Your email" intro={disowns ? messages.verificationLink.disown(name) : !again && working}>
      <fetcher.Form ref={form} method="post" action={action} className="grid gap-4">
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

/** `isUsed`: the link has done its work, so that nobody needs another one. */
function Ended({ ok, text, isUsed = false }: { ok: boolean; text: string; isUsed?: boolean }) {
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
      <ButtonLink to="/login">{ok ? "Login" : "Log in"}</ButtonLink>
      {!ok && !isUsed && <NewLinkForm purpose="verify" />}
    </AuthPage>
  );
}
