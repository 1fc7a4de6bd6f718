import { type LoaderFunctionArgs, Outlet, useLoaderData, useRouteError } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { countOrders } from "#app/owner/order-search.server.ts";
import { countReturns } from "#app/owner/returns/search.server.ts";
import { keepScreen, useKeptScreen } from "../connection/keep-screen.browser.ts";
import { OfflineNotice } from "../connection/offline-notice.tsx";
import { PendingBar } from "../connection/pending-bar.tsx";
import { useScriptsAhead } from "../connection/scripts-ahead.browser.ts";
import { Rail, Tabs } from "../frame/rail.tsx";
import { ShopZone } from "../frame/times.tsx";
import { requireStaff, staffOf } from "../http/staff.server.ts";
import { Problem } from "../root.tsx";

export const middleware = [requireStaff];
export const clientMiddleware = [keepScreen];

export async function loader({ context }: LoaderFunctionArgs) {
  const { name, email, role } = staffOf(context);
  return {
    name: name || email,
    role,
    zone: env.SHOP_TIMEZONE,
    counts: { orders: (await countOrders(db()))["to-send"], returns: (await countReturns(db())).waiting },
  };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";

export default function Layout() {
  useKeptScreen();
  useScriptsAhead();
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <Frame>
      <div className="grid gap-4 py-10">
        <Problem error={error} />
      </div>
    </Frame>
  );
}

/** Around a screen, also around one that has failed; without the loader's answer there is nobody to show it to. */
function Frame({ children }: { children: React.ReactNode }) {
  const known = useLoaderData<typeof loader | undefined>();
  if (!known) return <main className="p-4">{children}</main>;
  const { name, role, zone, counts } = known;
  return (
    <ShopZone value={zone}>
      <PendingBar />
      <div className="min-h-screen pb-16 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pb-0">
        <Rail role={role} name={name} counts={counts} />
        <main className="max-w-310 px-4 pb-8 lg:px-10 lg:pb-12 2xl:max-w-400">
          {children}
          <OfflineNotice />
        </main>
      </div>
      <Tabs role={role} counts={counts} />
    </ShopZone>
  );
}
