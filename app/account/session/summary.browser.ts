import { useEffect, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import { isUserSummary, SIGNED_IN_COOKIE, type UserSummary } from "./summary.ts";

let cached: { text: string | null; user: UserSummary | null } = { text: null, user: null };

function read(): UserSummary | null {
  const text = readStored("user");
  if (text !== cached.text) cached = { text, user: parse(text) };
  return cached.user;
}

function parse(text: string | null): UserSummary | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isUserSummary(value) ? value : null;
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
    const look = () => {
      if (readStored("cartUserId") !== uid) void revalidate();
    };
    look(); // nobody has listened until now
    return onStored((key, isElsewhere) => {
      if (isElsewhere && (key === "cartUserId" || key === null)) look();
    });
  }, [uid, revalidate]);
}

/** Once a page load: asks the server who is signed in, where somebody may be. Hands on the number in the cart. */
export function useSessionCheck(onCount: (count: number) => void): void {
  useEffect(() => {
    if (!readStored("user") && !document.cookie.includes(`${SIGNED_IN_COOKIE}=`)) return;
    const gone = new AbortController();
    fetch("/api/me", { signal: gone.signal })
      .then(async (response) => {
        if (!response.ok) return; // not now: what is remembered stays
        const { user, cartCount } = await response.json();
        rememberUser(isUserSummary(user) ? user : null);
        if (isUserSummary(user) && typeof cartCount === "number") onCount(cartCount);
      })
      .catch(() => undefined); // offline: what is remembered stays
    return () => gone.abort();
  }, [onCount]);
}
