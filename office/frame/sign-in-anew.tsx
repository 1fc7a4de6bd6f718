import { Form } from "react-router";
import { SIGN_IN_ANEW } from "#app/staff/refusals.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

type Props = {
  /** The refusal, if the last change was refused. */
  problem?: string;
  isFresh: boolean;
  /** The screen to return to after the sign-in. */
  next: string;
};

/**
 * Shown on screens that change how members sign in. Tells why a change was refused, and asks for a new sign-in if the
 * last one is too long ago.
 */
export function SignInAnew({ problem, isFresh, next }: Props) {
  const isRefused = problem === SIGN_IN_ANEW;
  return (
    <>
      {problem && !isRefused && <Notice kind="error">{problem}</Notice>}
      {(!isFresh || isRefused) && (
        <Notice kind={isRefused ? "error" : "info"} actions={<SignOut label="Sign in again" next={next} />}>
          {SIGN_IN_ANEW}
        </Notice>
      )}
    </>
  );
}

export function SignOut({ label = "Sign out", next }: { label?: string; next?: string }) {
  return (
    <Form method="post" action={next ? `/sign-out?${new URLSearchParams({ next })}` : "/sign-out"}>
      <Button look="line">{label}</Button>
    </Form>
  );
}
