import { createContext, data, type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { may, type Permission } from "#app/staff/roles.ts";
import { currentStaff, type Staff } from "#app/staff/sessions.server.ts";

const staffContext = createContext<Staff>();

/** Redirects visitors without a session to the sign-in, which leads back to this URL afterwards. */
export const requireStaff: MiddlewareFunction<Response> = async ({ request, context }) => {
  const staff = await currentStaff(request);
  if (staff) return void context.set(staffContext, staff);
  const { pathname, search } = new URL(request.url);
  throw redirect(`/sign-in?${new URLSearchParams({ next: pathname.replace(/\.data$/, "") + search })}`);
};

/** The signed-in member. */
export function staffOf(context: Readonly<RouterContextProvider>): Staff {
  return context.get(staffContext);
}

/** The signed-in member. Throws a 403 response if the member's role lacks one of the permissions. */
export function requirePermission(context: Readonly<RouterContextProvider>, ...all: Permission[]): Staff {
  const staff = staffOf(context);
  for (const needs of all)
    if (!may(staff.role, needs)) {
      noteSecurity("office-denied", { account: staff.email, needs });
      throw data(null, 403);
    }
  return staff;
}

/** Response headers that set these cookies. */
export function withCookies(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie) => ["Set-Cookie", cookie]));
}
