import { Form, Link, useNavigation } from "react-router";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { FormError, FormNotice } from "#app/ui/field.tsx";

type Props = {
  email: string;
  /** The mail was requested a second time. */
  isAgain: boolean;
  problem?: string;
  /** The page where another address can be given. */
  otherAddress: string;
};

/** The address to which the mail was sent, and a button that sends it again. */
export function MailSent({ email, isAgain, problem, otherAddress }: Props) {
  const busy = useNavigation().formMethod === "POST";
  const answered = useFocusAnswer<HTMLDivElement>(problem ?? isAgain);
  return (
    <div ref={answered} className="grid gap-4">
      <p>
        It goes to <b className="wrap-anywhere">{email}</b>. It can take a few minutes. If you don't see it, look in
        your spam folder.
      </p>
      <FormError>{problem}</FormError>
      <FormNotice>{isAgain && "We've sent it again."}</FormNotice>
      {!isAgain && (
        <Form method="post" className="grid">
          <Button look="outline" busy={busy}>
            Send it again
          </Button>
        </Form>
      )}
      <p>
        Wrong address?{" "}
        <Link to={otherAddress} className="underline underline-offset-4">
          Use another one
        </Link>
      </p>
    </div>
  );
}
