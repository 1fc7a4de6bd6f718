/** What local storage `user` keeps. A convenience of the browser: the session cookie is the authority. */
export type UserSummary = { uid: string; email: string; emailVerified: boolean; firstName: string; lastName: string };

/** A signed-in device, as its owner sees it. `id` names it, `isThis` is the one that asks. Times as ISO 8601. */
export type Session = { id: string; device: string; createdAt: string; usedAt: string; isThis: boolean };

/** A cookie without any secret that says "somebody signed in here", so that strangers cost no call. */
export const SIGNED_IN_COOKIE = "irepo_in";

export function isUserSummary(value: unknown): value is UserSummary {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["uid", "email", "firstName", "lastName"];
  return (
    texts.every((name) => typeof Reflect.get(value, name) === "string") &&
    typeof Reflect.get(value, "emailVerified") === "boolean"
  );
}
