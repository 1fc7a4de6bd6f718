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
    return null; // a foreign or damaged value counts as signed out until /api/me responds
  }
}

/** Stores who is signed in, according to the server; null for nobody. */
export function rememberUser(user: UserSummary | null): void {
  if (!user) forgetSignIn();
  store("user", user ? JSON.stringify(user) : null);
  store("cartUserId", user ? user.uid : null);
  markSession();
}

/** Marks for CSS whether somebody is signed in, as the script in the page's head does before anybody is known. */
function markSession(): void {
  document.documentElement.dataset.session = readStored("user") || hasSignInCookie() ? "open" : "none";
}

/** Removes the cookie of a session that has ended elsewhere. Otherwise the next page would first look signed in. */
function forgetSignIn(): void {
  const secure = location.protocol === "https:" ? "__Host-" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  if (hasSignInCookie()) document.cookie = `${secure}${SIGNED_IN_COOKIE}=; Path=/; Max-Age=0${secure && "; Secure"}`;
}

/** The signed-in shopper from local storage; null on the server and in the first render. */
export function useUser(): UserSummary | null {
  return useSyncExternalStore(onStored, read, () => null);
}

/** Whether the browser has accepted the cookies of the sign-in just made. */
export function hasSignInCookie(): boolean {
  try {
    return document.cookie.includes(`${SIGNED_IN_COOKIE}=`);
  } catch {
    return false; // refused, for example to a page without an origin
  }
}

/** For a page with data of the user `uid`: reloads its data as soon as another user or nobody is signed in. */
export function useOwner(uid: string | undefined): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!uid) return;
    const look = () => {
      if (readStored("cartUserId") !== uid) void revalidate();
    };
    look(); // the owner may have changed before the listener was added
    return onStored((key, isElsewhere) => {
      if (isElsewhere && (key === "cartUserId" || key === null)) look();
    });
  }, [uid, revalidate]);
}

/**
 * Asks the server once per page load who is signed in, if the browser has a sign of a session. Passes the cart's unit
 * count to `onCount`.
 */
export function useSessionCheck(onCount: (count: number) => void): void {
  useEffect(() => onStored(markSession), []);
  useEffect(() => {
    if (!readStored("user") && !hasSignInCookie()) return;
    const gone = new AbortController();
    fetch("/api/me", { signal: gone.signal })
      .then(async (response) => {
        if (!response.ok) return; // an error of the server: the stored user stays
        const { user, cartCount } = await response.json();
        rememberUser(isUserSummary(user) ? user : null);
        if (isUserSummary(user) && typeof cartCount === "number") onCount(cartCount);
      })
      .catch(() => undefined); // offline: the stored user stays
    return () => gone.abort();
  }, [onCount]);
}
