import { type ComponentProps, useState } from "react";
import { PasswordField } from "#app/ui/field.tsx";
import { adviceOn } from "./strength.ts";

const nothing: ReadonlySet<string> = new Set();
let list: Promise<ReadonlySet<string>> | undefined;

/**
 * The list of common passwords, loaded when the field first gets the focus. If the loading fails, the advice works
 * without it.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import("./common.json").then((module) => new Set(module.default)).catch(() => nothing);
  return list;
}

type Props = ComponentProps<typeof PasswordField> & { personal?: string[] };

/** A field for a new password, with advice while typing. */
export function NewPasswordField({ personal, ...props }: Props) {
  const [advice, setAdvice] = useState(adviceOn("", nothing));
  return (
    <PasswordField
      name="password"
      autoComplete="new-password"
      required
      {...props}
      hint={advice}
      onFocus={() => void commonPasswords()}
      onChange={async ({ target }) => setAdvice(adviceOn(target.value, await commonPasswords(), personal))}
    />
  );
}
