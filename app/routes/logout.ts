import { redirect } from "react-router";
import { signOut } from "#app/account/session/store.server.ts";
import type { Route } from "./+types/logout";

export function loader() {
  return redirect("/", 302);
}

export async function action({ request }: Route.ActionArgs) {
  const headers = new Headers();
  for (const cookie of await signOut(request)) headers.append("Set-Cookie", cookie);
  headers.set("Location", "/");
  headers.set("Clear-Site-Data", '"storage"');
  return new Response(null, { status: 303, headers });
}
