import { type ActionFunctionArgs, redirect } from "react-router";
import { signOut } from "#app/staff/sessions.server.ts";
import { withCookies } from "../http/staff.server.ts";

export const loader = () => redirect("/");

export async function action({ request }: ActionFunctionArgs) {
  const next = new URL(request.url).searchParams.get("next");
  return redirect(next ? `/sign-in?${new URLSearchParams({ next })}` : "/sign-in", {
    headers: withCookies(await signOut(request)),
  });
}
