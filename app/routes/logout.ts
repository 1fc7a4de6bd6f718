import { redirect } from "react-router";
import { signOut } from "#app/account/session/store.server.ts";
import type { Route } from "./+types/logout";

export function loader() {
  return redirect("/", 302);
}

/**
 * Ends the session. The account's data in the browser is removed by the script that sends this request, or by that of
 * the next page.
 */
export async function action({ request }: Route.ActionArgs) {
  const headers = new Headers();
  for (const cookie of await signOut(request)) headers.append("Set-Cookie", cookie);
  headers.set("Location", "/");
  return new Response(null, { status: 303, headers });
}
