/** The user in local storage `user`. It serves only the display: the session cookie decides who is signed in. */
export type UserSummary = { uid: string; email: string; emailVerified: boolean; firstName: string; lastName: string };

/** A session as its owner sees it. `isThis` marks the session of the current request. Times are in ISO 8601. */
export type Session = { id: string; device: string; createdAt: string; usedAt: string; isThis: boolean };

/**
 * A cookie without a secret that tells scripts that a session exists, so that guests' browsers need no request to find
 * out.
 */
export const SIGNED_IN_COOKIE = "irepo_in";

export function isUserSummary(value: unknown): value is UserSummary {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["uid", "email", "firstName", "lastName"];
  return (
    texts.every((name) => typeof Reflect.get(value, name) === "string") &&
    typeof Reflect.get(value, "emailVerified") === "boolean"
  );
}
