import { Form } from "react-router";
import { HEADER_LINK } from "#app/ui/header.tsx";
import { Link } from "#app/ui/link.tsx";
import { useUser } from "./session-summary.ts";
import { useSignOut } from "./sign-out.tsx";

/** LOGIN in the header, or the first name with its menu. */
export function AccountLink() {
  const user = useUser();
  const signOut = useSignOut();
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
    <details
      className="relative"
      onBlur={(event) =>
        event.currentTarget.contains(event.relatedTarget) || event.currentTarget.removeAttribute("open")
      }
    >
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
