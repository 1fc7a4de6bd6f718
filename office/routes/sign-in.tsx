import {
  type ActionFunctionArgs,
  data,
  Form,
  Link,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from "react-router";
import { safeNext } from "#app/account/next.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { mayEnterDemo, signInToDemo } from "#app/staff/demo.server.ts";
import { signInWithPasskey } from "#app/staff/passkeys.server.ts";
import { awaitsCode, checkCode, checkPassword } from "#app/staff/password.server.ts";
import { signInWithRecoveryCode } from "#app/staff/recovery.server.ts";
import { refusalText } from "#app/staff/refusals.ts";
import { currentStaff, type SignedIn } from "#app/staff/sessions.server.ts";
import { Field, FormError, PasswordField } from "#app/ui/field.tsx";
import { useAnswer } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Door, Or } from "../frame/door.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { CodeField } from "../frame/new-password.tsx";
import { PasskeyForm } from "../frame/passkey.browser.tsx";
import { postedForm } from "../http/form.server.ts";
import { withCookies } from "../http/staff.server.ts";

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export async function loader({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  if (await currentStaff(request)) throw redirect(safeNext(params.get("next")));
  const way = params.get("way") === "recovery" ? "recovery" : "usual";
  const isHalfway = params.get("way") !== "again" && way === "usual" && (await awaitsCode(request));
  return { step: isHalfway ? "code" : way, isDemo: mayEnterDemo(request) } as const;
}

const WRONG = {
  password: "Wrong email or password.",
  code: "That code doesn’t match. Use the one your phone shows now.",
  recovery: "Wrong email or recovery code.",
};

export async function action({ request }: ActionFunctionArgs) {
  const form = await postedForm(request);
  const text = (name: string) => String(form.get(name) ?? "");
  const next = safeNext(new URL(request.url).searchParams.get("next"));
  const email = normalizeEmail(text("email"));
  const intent = text("intent");
  const refused = ({ why }: { why: string }, problem: string) => {
    if (why === "wrong" || why === "unknown")
      noteSecurity("office-login-failed", { way: intent, ...(email && { account: email }) });
    return data({ intent, email, problem }, 422);
  };
  const arrived = ({ cookies, email }: SignedIn, to = next) => {
    noteSecurity("office-login-done", { way: intent, account: email });
    // A new document drops the state of the previous member, such as the filters and ticks of lists.
    return redirectDocument(to, { headers: withCookies(cookies) });
  };
  switch (intent) {
    case "passkey": {
      const signed = await signInWithPasskey(request, text("answer"));
      if (signed.ok) return arrived(signed);
      return refused(
        signed,
        signed.why === "rest" ? refusalText(signed, "") : "This passkey isn’t known here, or no longer works.",
      );
    }
    case "password": {
      const half = await checkPassword(request, email, text("password"));
      if (!half.ok) return refused(half, refusalText(half, WRONG.password));
      return redirect(`/sign-in?${new URLSearchParams({ next })}`, { headers: withCookies(half.cookies) });
    }
    case "code": {
      const signed = await checkCode(request, text("code"));
      if (signed.ok) return arrived(signed);
      return refused(signed, refusalText(signed, WRONG.code));
    }
    case "recovery": {
      const signed = await signInWithRecoveryCode(request, email, text("code"));
      if (signed.ok) return arrived(signed, "/me");
      return refused(signed, refusalText(signed, WRONG.recovery));
    }
    case "demo": {
      if (!mayEnterDemo(request)) throw data(null, 404);
      return arrived(await signInToDemo(request));
    }
    default:
      throw data(null, 400);
  }
}

export default function SignIn() {
  const { step } = useLoaderData<typeof loader>();
  if (step === "code") return <Code />;
  return step === "recovery" ? <Recovery /> : <Usual />;
}

/** The error message for the form with this `intent`. */
function useRefusal(intent: string): { problem?: string; email?: string } {
  const answer = useAnswer<typeof action>();
  return answer && "intent" in answer && answer.intent === intent ? answer : {};
}
/** The URL of another way to sign in, with the same destination. */
function useWay(way: string): string {
  const [params] = useSearchParams();
  return `?${new URLSearchParams({ next: safeNext(params.get("next")), way })}`;
}
const useBusy = (intent: string) => useNavigation().formData?.get("intent") === intent;

function Usual() {
  const { isDemo } = useLoaderData<typeof loader>();
  const { problem, email } = useRefusal("password");
  const passkey = useRefusal("passkey");
  const code = useRefusal("code");
  const isDemoBusy = useBusy("demo");
  return (
    <Door title="Sign in to the office" about="For the people who run the shop. Shoppers sign in at the shop.">
      <FormError>{code.problem}</FormError>
      {isDemo && (
        <Form method="post">
          <Button name="intent" value="demo" className="min-h-12 w-full" isPending={isDemoBusy}>
            Sign in as the demo’s owner
          </Button>
        </Form>
      )}
      <PasskeyForm wants={{ for: "sign-in" }} label="Use your passkey" look={isDemo ? "line" : "solid"}>
        <input type="hidden" name="intent" value="passkey" />
        <FormError>{passkey.problem}</FormError>
      </PasskeyForm>
      <Or />
      <Form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="password" />
        <Field label="Email" name="email" type="email" autoComplete="username" required defaultValue={email} />
        <PasswordField label="Password" name="password" autoComplete="current-password" required error={problem} />
        <Button look="line" isPending={useBusy("password")} className="w-full">
          Next: the code from your phone
        </Button>
      </Form>
      <p className="text-muted">
        <Link
          to={useWay("recovery")}
          className="inline-flex min-h-11 items-center text-ink underline underline-offset-3"
        >
          Use a recovery code
        </Link>
        <br />
        Lost everything? An owner can invite you again.
      </p>
    </Door>
  );
}

function Code() {
  const { problem } = useRefusal("code");
  return (
    <Door title="The code from your phone" about="Your authenticator app shows it for 30 seconds.">
      <Form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="code" />
        <CodeField error={problem} autoFocus />
        <Button isPending={useBusy("code")} className="min-h-12 w-full">
          Sign in
        </Button>
      </Form>
      <Back />
    </Door>
  );
}

function Recovery() {
  const { problem, email } = useRefusal("recovery");
  return (
    <Door title="Use a recovery code" about="One of the ten you saved. Each works once.">
      <Form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="recovery" />
        <Field label="Email" name="email" type="email" autoComplete="username" required defaultValue={email} />
        <Field label="Recovery code" name="code" autoComplete="off" autoCapitalize="none" required error={problem} />
        <Button isPending={useBusy("recovery")} className="min-h-12 w-full">
          Sign in
        </Button>
      </Form>
      <Back />
    </Door>
  );
}

function Back() {
  return (
    <p>
      <Link to={useWay("again")} className="inline-flex min-h-11 items-center underline underline-offset-3">
        Another way
      </Link>
    </p>
  );
}
