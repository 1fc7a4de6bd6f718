import { Form } from "react-router";
import { SIGN_IN_ANEW } from "#app/staff/refusals.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

type Props = {
  /** What was refused, if anything was. */
  problem?: string;
  isFresh: boolean;
  /** The screen to come back to. */
  next: string;
};

/** On a screen that changes who signs in, or how: says what was refused, and that it asks for a new sign-in where the last one is a while ago. */
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
