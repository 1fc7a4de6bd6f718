import { encode } from "uqr";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { brandNow } from "#app/infra/settings/shop-settings.server.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "#app/staff/password-rule.ts";
import { isTotpSecret, newTotpSecret, totpUri } from "#app/staff/totp.server.ts";
import type { Totp } from "../frame/new-password.tsx";

/**
 * A secret for an authenticator app with its QR code. If the form is shown again, `shown` is the secret from before.
 */
export async function totpToShow(email: string, shown = newTotpSecret()): Promise<Totp> {
  const { name } = await brandNow(db);
  const { data, size } = encode(totpUri(shown, email, name), { border: 2 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { secret: shown, qr: { size, dark } };
}

/** The schema for the fields of NewPasswordFields. */
export const newPasswordFields = z.object({
  password: z.string().min(PASSWORD_MIN, `At least ${PASSWORD_MIN} characters`).max(PASSWORD_MAX, "That’s too long"),
  secret: z.string().refine(isTotpSecret),
  code: z.string().min(1, "Enter the 6 digits in your app"),
});

export const WRONG_CODE = "That code doesn’t match. Use the one your app shows now.";
