import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { type FormEvent, type ReactNode, useState } from "react";
import { Form, useSubmit } from "react-router";
import { FormError } from "#app/ui/field.tsx";
import { Button } from "./button.tsx";
import { KeyIcon } from "./icons.tsx";

type Options =
  | { use: PublicKeyCredentialRequestOptionsJSON }
  | { make: PublicKeyCredentialCreationOptionsJSON }
  | { problem: string };

/**
 * A form whose button makes the device create or use a passkey, and then sends the result as `answer` together with the
 * other fields. `wants` are the parameters for routes/passkey-options.ts.
 */
export function PasskeyForm({
  wants,
  label,
  look,
  children,
}: {
  wants: Record<string, string>;
  label: string;
  look?: "solid" | "line";
  children: ReactNode;
}) {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = useSubmit();

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem("");
    const asked = await answerTo(wants);
    if ("problem" in asked) setProblem(asked.problem);
    else {
      const fields = new FormData(form);
      fields.set("answer", asked.answer);
      await submit(fields, { method: "post" });
    }
    setBusy(false);
  }
  return (
    <Form method="post" onSubmit={ask} className="grid gap-4">
      {children}
      <Button look={look} isPending={isBusy} className="min-h-12 w-full">
        <KeyIcon className="size-5" />
        {label}
      </Button>
      <FormError>{problem}</FormError>
      <noscript>
        <p className="text-muted">Passkeys need script.</p>
      </noscript>
    </Form>
  );
}

async function answerTo(wants: Record<string, string>): Promise<{ answer: string } | { problem: string }> {
  if (!browserSupportsWebAuthn())
    return { problem: "This browser has no passkeys, or this page is not on https. Use another way." };
  try {
    const options = await optionsFor(wants);
    if ("problem" in options) return options;
    const made =
      "make" in options
        ? await startRegistration({ optionsJSON: options.make })
        : await startAuthentication({ optionsJSON: options.use });
    return { answer: JSON.stringify(made) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

async function optionsFor(wants: Record<string, string>): Promise<Options> {
  const answer = await fetch("/passkey-options", { method: "POST", body: new URLSearchParams(wants) });
  return answer.ok ? answer.json() : { problem: "Something went wrong. Please try again in a moment." };
}

function problemOf(error: unknown): string {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return "You already have a passkey on this device.";
  if (error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name))
    return "No passkey was used. Try again, or use another way.";
  if (error instanceof TypeError) return "No connection. Please try again.";
  return "This device couldn’t do it. Use another way.";
}
