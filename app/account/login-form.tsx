import { useEffect, useState } from "react";
import { Link, useFetcher, useLocation, useSearchParams } from "react-router";
import { forgetGuestCart, guestCartForSignIn, refreshCart } from "#app/cart/cart-store.ts";
import { messages } from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, FormError, PasswordField } from "#app/ui/field.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { rememberUser, type UserSummary } from "./session-summary.ts";

export type LoginErrors = { email?: string; password?: string; form?: string };
type Merged = { ok: true; adjusted: boolean; skipped: string[] } | { ok: false };
export type LoginAnswer =
  | { ok: true; user: UserSummary; next: string; merged: Merged }
  | { ok: false; errors: LoginErrors; email: string; unverified?: boolean; sent?: boolean };

/** The specification's time between a login and what follows it. */
const AFTER_LOGIN = 2000;

type Props = {
  next: string;
  /** What the server said to the form posted without script. */
  posted?: LoginAnswer;
  onDone(next: string): void;
  /** In the dialog the register form is a switch away, not a page. */
  onRegister?(): void;
};

export function LoginForm({ next, posted, onDone, onRegister }: Props) {
  const fetcher = useFetcher<LoginAnswer>();
  const { search } = useLocation();
  const guest = useGuestFields();
  const answer = fetcher.data ?? posted;
  const failed = answer?.ok === false ? answer : undefined;
  useSignedIn(answer?.ok ? answer : undefined, onDone);
  return (
    <>
      {failed?.sent && <p role="status">{messages.register.done}</p>}
      <fetcher.Form method="post" action={onRegister ? "/login" : `/login${search}`} noValidate className="grid gap-4">
        <FormError>{failed?.errors.form}</FormError>
        {failed?.unverified && (
          <Button name="intent" value="resend" look="outline">
            Send the email again
          </Button>
        )}
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={failed?.email}
          error={failed?.errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={failed?.errors.password}
        />
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="guestCart" value={guest.guestCart} />
        <input type="hidden" name="mergeId" value={guest.mergeId} />
        <Link to="/forgotPassword" className="justify-self-start text-palm underline underline-offset-4">
          forgot password?
        </Link>
        <Button busy={fetcher.state !== "idle" || answer?.ok}>Login</Button>
      </fetcher.Form>
      <p>
        No account yet?{" "}
        <Link
          to="/register"
          onClick={(event) => {
            if (!onRegister) return;
            event.preventDefault();
            onRegister();
          }}
          className="text-palm underline underline-offset-4"
        >
          Create one
        </Link>
      </p>
    </>
  );
}

/** What the guest brings along: the guest cart by script, or (without script) the one piece in the URL that led here. */
function useGuestFields(): { guestCart: string; mergeId: string } {
  const [query] = useSearchParams();
  const [stored, setStored] = useState<{ guestCart: string; mergeId: string }>();
  useEffect(() => setStored(guestCartForSignIn()), []);
  if (stored) return stored;
  const [id, size] = [query.get("id"), query.get("size")];
  if (!id || !size) return { guestCart: "", mergeId: "" };
  return { guestCart: JSON.stringify([{ id, selectedSize: size, quantity: query.get("quantity") ?? 1 }]), mergeId: "" };
}

/** What the shopper sees of a login: the toast, the merge, and 2 s later what follows. */
function useSignedIn(signed: Extract<LoginAnswer, { ok: true }> | undefined, onDone: (next: string) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!signed) return;
    rememberUser(signed.user);
    toast.success(messages.login.done);
    if (!signed.merged.ok) toast.error(messages.cart.mergeFailed);
    else {
      forgetGuestCart();
      if (signed.merged.adjusted) toast(messages.cart.adjusted);
      if (signed.merged.skipped.length > 0) toast(`Sold out meanwhile: ${signed.merged.skipped.join(", ")}`);
    }
    void refreshCart();
    const timer = setTimeout(() => onDone(signed.next), AFTER_LOGIN);
    return () => clearTimeout(timer);
  }, [signed]);
}
