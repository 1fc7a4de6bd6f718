import { useEffect, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";

/** What local storage `user` keeps. A convenience of the browser: the session cookie is the authority. */
export type UserSummary = { uid: string; email: string; emailVerified: boolean; firstName: string; lastName: string };

/** A signed-in device, as its owner sees it. `id` names it, `isThis` is the one that asks. Times as ISO 8601. */
export type Session = { id: string; device: string; createdAt: string; usedAt: string; isThis: boolean };

let cached: { text: string | null; user: UserSummary | null } = { text: null, user: null };

function read(): UserSummary | null {
  const text = readStored("user");
  if (text !== cached.text) cached = { text, user: parse(text) };
  return cached.user;
}

function parse(text: string | null): UserSummary | null {
  try {
    const value = JSON.parse(text ?? "null") as UserSummary | null;
    return value && typeof value.uid === "string" && typeof value.firstName === "string" ? value : null;
  } catch {
    return null; // a foreign or damaged value: as if signed out, until /api/me says otherwise
  }
}

/** Keeps what the server said about who is signed in; null: nobody. */
export function rememberUser(user: UserSummary | null): void {
  store("user", user ? JSON.stringify(user) : null);
  store("cartUserId", user ? user.uid : null);
}

/** The signed-in shopper as the browser remembers; null on the server and in the first render. */
export function useUser(): UserSummary | null {
  return useSyncExternalStore(onStored, read, () => null);
}

/** For a page that shows what is `uid`'s: asks for it anew as soon as somebody else, or nobody, is signed in. */
export function useOwner(uid: string | undefined): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!uid) return;
    return onStored((key, isElsewhere) => {
      const concerns = key === "cartUserId" || key === null;
      if (isElsewhere && concerns && readStored("cartUserId") !== uid) void revalidate();
    });
  }, [uid, revalidate]);
}

/** A cookie without any secret that says "somebody signed in here", so that strangers cost no call. */
export const SIGNED_IN_COOKIE = "irepo_in";

/** Once a page load: asks the server who is signed in, where somebody may be. Hands on the number in the cart. */
export function useSessionCheck(onCount: (count: number) => void): void {
  useEffect(() => {
    if (!readStored("user") && !document.cookie.includes(`${SIGNED_IN_COOKIE}=`)) return;
    const gone = new AbortController();
    fetch("/api/me", { signal: gone.signal })
      .then(async (response) => {
        if (!response.ok) return; // not now: what is remembered stays
        const { user, cartCount } = (await response.json()) as { user: UserSummary | null; cartCount: number };
        rememberUser(user);
        if (user) onCount(cartCount);
      })
      .catch(() => undefined); // offline: what is remembered stays
    return () => gone.abort();
  }, [onCount]);
}
