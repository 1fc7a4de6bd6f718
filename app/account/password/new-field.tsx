import { type ComponentProps, useState } from "react";
import { PasswordField } from "#app/ui/field.tsx";
import { adviceOn } from "./strength.ts";

const nothing: ReadonlySet<string> = new Set();
let list: Promise<ReadonlySet<string>> | undefined;

/** Fetched when somebody begins to choose a password; without it the advice knows less. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import("./common.json").then((module) => new Set(module.default)).catch(() => nothing);
  return list;
}

type Props = ComponentProps<typeof PasswordField> & { personal?: string[] };

/** A field for a password to be chosen, with advice as it is typed. */
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
