import { Secret, TOTP } from "otpauth";
import { plainText } from "#app/infra/text/typed-text.ts";

const SETTINGS = { algorithm: "SHA1", digits: 6, period: 30 } as const; // supported by every authenticator app
/** How many steps of 30 s a phone's clock may be off. */
const WINDOW = 1;

/** 160 random bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** The URI in the QR code that an authenticator app scans. `shop`: the shop's name. */
export function totpUri(secret: string, email: string, shop: string): string {
  return new TOTP({ ...SETTINGS, issuer: `${shop} office`, label: email, secret }).toString();
}

/**
 * The time step that a code belongs to. Undefined if the code is wrong. A caller stores the step, so that each code
 * works once.
 */
export function totpStep(secret: string, code: string, now = Date.now()): number | undefined {
  const token = plainText(code).replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return; // the library throws for other characters
  const known = Secret.fromBase32(secret);
  const delta = TOTP.validate({ ...SETTINGS, token, secret: known, timestamp: now, window: WINDOW });
  return delta === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp: now }) + delta;
}
