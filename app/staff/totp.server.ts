import { Secret, TOTP } from "otpauth";

const SETTINGS = { algorithm: "SHA1", digits: 6, period: 30 } as const; // what every authenticator app knows
/** A phone's clock may be a step behind or ahead. */
const WINDOW = 1;

/** 160 random bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** What a phone scans. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...SETTINGS, issuer: "Irepo office", label: email, secret }).toString();
}

/** The step that a code belongs to, which it is good for once; undefined for a wrong code. */
export function totpStep(secret: string, code: string, now = Date.now()): number | undefined {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return; // the library throws at other characters
  const known = Secret.fromBase32(secret);
  const delta = TOTP.validate({ ...SETTINGS, token, secret: known, timestamp: now, window: WINDOW });
  return delta === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp: now }) + delta;
}
