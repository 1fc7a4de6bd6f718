import { createContext, data, type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { may, type Permission } from "#app/staff/roles.ts";
import { currentStaff, type Staff } from "#app/staff/sessions.server.ts";

const staffContext = createContext<Staff>();

/** Lets nobody on who is not signed in; what they came for is found again after the sign-in. */
export const requireStaff: MiddlewareFunction<Response> = async ({ request, context }) => {
  const staff = await currentStaff(request);
  if (staff) return void context.set(staffContext, staff);
  const { pathname, search } = new URL(request.url);
  throw redirect(`/sign-in?${new URLSearchParams({ next: pathname.replace(/\.data$/, "") + search })}`);
};

/** Who is signed in. */
export function staffOf(context: Readonly<RouterContextProvider>): Staff {
  return context.get(staffContext);
}

/** Ends with 403 where the role does not permit it. */
export function requirePermission(context: Readonly<RouterContextProvider>, needs: Permission): Staff {
  const staff = staffOf(context);
  if (!may(staff.role, needs)) {
    noteSecurity("office-denied", { account: staff.email, needs });
    throw data(null, 403);
  }
  return staff;
}

/** An answer's headers with these cookies. */
export function withCookies(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie) => ["Set-Cookie", cookie]));
}
