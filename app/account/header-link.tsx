import { Form } from "react-router";
import { useSignOut } from "#app/account/session/sign-out.tsx";
import { useUser } from "#app/account/session/summary.browser.ts";
import { useClosingMenu } from "#app/ui/frame/closing-menu.browser.ts";
import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { Link } from "#app/ui/link.tsx";

/** The LOGIN link in the header. For a signed-in shopper it says ACCOUNT, and becomes a menu once the user is known. */
export function AccountLink() {
  const user = useUser();
  const signOut = useSignOut();
  const menu = useClosingMenu();
  if (!user) {
    return (
      <>
        {/* Without script the account's link is right for everybody: it leads guests to the login. */}
        <Link to="/login" className={`${HEADER_LINK} min-w-14 where-signed-out [@media(scripting:none)]:hidden`}>
          LOGIN
        </Link>{" "}
        <Link to="/account" className={`${HEADER_LINK} where-signed-in`}>
          ACCOUNT
        </Link>
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
