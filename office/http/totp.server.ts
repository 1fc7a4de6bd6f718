import { encode } from "uqr";
import { z } from "zod";
import { PASSWORD_MAX, PASSWORD_MIN } from "#app/staff/password-rule.ts";
import { isTotpSecret, newTotpSecret, totpUri } from "#app/staff/totp.server.ts";
import type { Totp } from "../frame/new-password.tsx";

/** A key for an authenticator app; the one that was shown already, where the form comes back. */
export function totpToShow(email: string, shown = newTotpSecret()): Totp {
  const { data, size } = encode(totpUri(shown, email), { border: 2 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { secret: shown, qr: { size, dark } };
}

/** The fields of NewPasswordFields. */
export const newPasswordFields = z.object({
  password: z.string().min(PASSWORD_MIN, `At least ${PASSWORD_MIN} characters`).max(PASSWORD_MAX, "That is too long"),
  secret: z.string().refine(isTotpSecret),
  code: z.string().min(1, "The 6 digits that the app shows"),
});

export const WRONG_CODE = "The code does not fit. Take the one that the app shows now.";
