import {
  type ActionFunctionArgs,
  data,
  Form,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigation,
} from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { acceptInvitation } from "#app/staff/acceptance.server.ts";
import { findInvitation } from "#app/staff/invitations.server.ts";
import { Field, FormError } from "#app/ui/field.tsx";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { Door, Or } from "../frame/door.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { NewPasswordFields } from "../frame/new-password.tsx";
import { PasskeyForm } from "../frame/passkey.browser.tsx";
import { RecoveryCodes } from "../frame/recovery-codes.tsx";
import { problemsOf } from "../http/changes.server.ts";
import { fieldsOf, postedForm } from "../http/form.server.ts";
import { withCookies } from "../http/staff.server.ts";
import { newPasswordFields, totpToShow, WRONG_CODE } from "../http/totp.server.ts";

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

const codeOf = (request: Request) => new URL(request.url).searchParams.get("code") ?? "";

export async function loader({ request }: LoaderFunctionArgs) {
  const code = codeOf(request);
  const invited = await findInvitation(db(), code);
  if (!invited) return null;
  const { email, name, role } = invited;
  return { code, email, name, role, totp: await totpToShow(email) };
}

const person = z.object({ name: z.string().trim().min(1, "What’s your name?").max(100, "That’s too long") });
const WAYS = { passkey: person.extend({ answer: z.string() }), password: person.extend(newPasswordFields.shape) };

export async function action({ request }: ActionFunctionArgs) {
  const form = fieldsOf(await postedForm(request));
  const code = codeOf(request);
  const invited = await findInvitation(db(), code);
  if (!invited) return data({ ok: false, isGone: true } as const, 422);
  const way = form.intent === "passkey" ? "passkey" : "password";
  const parsed = WAYS[way].safeParse(form);
  const totp = await totpToShow(invited.email, newPasswordFields.shape.secret.safeParse(form.secret).data);
  const refused = (problems: Record<string, string>) => data({ ok: false, way, problems, totp } as const, 422);
  if (!parsed.success) return refused(problemsOf(parsed.error));
  const given = parsed.data;
  const accepted = await acceptInvitation(
    db(),
    request,
    code,
    "answer" in given ? { name: given.name, passkey: given.answer } : given,
  );
  if (!accepted.ok && accepted.why === "gone") return data({ ok: false, isGone: true } as const, 422);
  if (!accepted.ok)
    return refused(
      way === "passkey" ? { answer: "The passkey wasn’t accepted. Please try again." } : { code: WRONG_CODE },
    );
  noteSecurity("office-login-done", { way: `invitation, ${way}`, account: invited.email });
  const { recoveryCodes, cookies } = accepted;
  return data({ ok: true, recoveryCodes, email: invited.email } as const, { headers: withCookies(cookies) });
}

export default function Invitation() {
  const invited = useLoaderData<typeof loader>();
  const answer = useAnswer<typeof action>();
  if (answer?.ok)
    return (
      <Door title="You’re in">
        <RecoveryCodes codes={answer.recoveryCodes} email={answer.email} />
        <ButtonLink to="/" className="min-h-12 w-full print:hidden">
          I’ve saved them. Go to the office
        </ButtonLink>
      </Door>
    );
  if (!invited || (answer && "isGone" in answer))
    return (
      <Door
        title="This invitation has expired"
        about="It’s been used, is older than 7 days, or a newer one was sent. An owner can invite you again."
      >
        <ButtonLink to="/sign-in" look="line" className="w-full">
          Sign in
        </ButtonLink>
      </Door>
    );
  return <Accept invited={invited} refused={answer && "way" in answer ? answer : undefined} />;
}

type Invited = NonNullable<Awaited<ReturnType<typeof loader>>>;
type Refused = { way: "passkey" | "password"; problems: Record<string, string>; totp: Invited["totp"] };

function Accept({ invited, refused }: { invited: Invited; refused?: Refused }) {
  const isBusy = useNavigation().formData?.get("intent") === "password";
  const { email, role, name, code } = invited;
  const problems = (way: Refused["way"]) => (refused?.way === way ? refused.problems : {});
  const nameField = (error?: string) => (
    <Field
      label="Your name"
      name="name"
      autoComplete="name"
      required
      maxLength={100}
      defaultValue={name}
      error={error}
    />
  );
  return (
    <Door title="Welcome to the office" about={`${email}, in the role “${role.name}”: ${role.says}.`}>
      <PasskeyForm wants={{ for: "invitation", code }} label="Create a passkey on this device">
        <input type="hidden" name="intent" value="passkey" />
        {nameField(problems("passkey").name)}
        <p className="text-muted">Sign in with your finger, face or PIN. There’s nothing to remember or type.</p>
        <FormError>{problems("passkey").answer}</FormError>
      </PasskeyForm>
      <Or />
      <details open={refused?.way === "password"}>
        <summary className="flex min-h-11 cursor-pointer items-center justify-center font-semibold underline underline-offset-3">
          A password, and codes from your phone
        </summary>
        <Form method="post" className="mt-4 grid gap-4">
          <input type="hidden" name="intent" value="password" />
          {nameField(problems("password").name)}
          <NewPasswordFields email={email} totp={refused?.totp ?? invited.totp} problems={problems("password")} />
          <Button isPending={isBusy} className="min-h-12 w-full">
            Accept
          </Button>
        </Form>
      </details>
    </Door>
  );
}
