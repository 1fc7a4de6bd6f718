import { redirect } from "react-router";

/** The well-known URL by which password managers find the form to change a password. */
export function loader() {
  return redirect("/account#settings", 302);
}
