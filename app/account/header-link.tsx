import { useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { useSignOut } from "#app/account/session/sign-out.tsx";
import { useUser } from "#app/account/session/summary.browser.ts";
import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { Link } from "#app/ui/link.tsx";

/** LOGIN in the header, or the first name with its menu. */
export function AccountLink() {
  const user = useUser();
  const signOut = useSignOut();
  const menu = useClosingMenu();
  if (!user) {
    return (
      <>
        <Link to="/login" className={`${HEADER_LINK} min-w-14 [@media(scripting:none)]:hidden`}>
          LOGIN
        </Link>
        <noscript>
          <Link to="/account" className={HEADER_LINK}>
            ACCOUNT
          </Link>
        </noscript>
      </>
    );
  }
  return (
    <details ref={menu} className="relative">
      <summary className={`${HEADER_LINK} max-w-40 truncate`}>{user.firstName || "ACCOUNT"}</summary>
      <div className="absolute right-0 grid min-w-44 border border-hairline bg-paper p-2 shadow-overlay">
        <Link to="/account" className="label min-h-11 content-center px-3 hover:bg-linen">
          My Account
        </Link>
        <Form method="post" action="/logout" onSubmit={signOut}>
          <button type="submit" className="label min-h-11 w-full px-3 text-left hover:bg-linen">
            Log Out
          </button>
        </Form>
      </div>
    </details>
  );
}

/** A menu that closes by a press beside it, by Esc, when the focus goes on, and with its page. */
function useClosingMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => menu.current?.removeAttribute("open"), [pathname]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const isInside = target instanceof Node && menu.current?.contains(target);
      if (!isInside) menu.current?.removeAttribute("open");
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || !menu.current?.open) return;
      menu.current.removeAttribute("open");
      menu.current.querySelector("summary")?.focus();
    };
    // Not by blur: a press on one of its links takes the focus away in Safari, and would close it before the click.
    const gone = new AbortController();
    const { signal } = gone;
    document.addEventListener("pointerdown", leave, { signal });
    document.addEventListener("focusin", leave, { signal });
    document.addEventListener("keydown", onKey, { signal });
    return () => gone.abort();
  }, []);
  return menu;
}
