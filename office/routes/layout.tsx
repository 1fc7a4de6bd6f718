import { type LoaderFunctionArgs, Outlet, useLoaderData, useRouteError } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { knownKinds, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";
import { countOrders } from "#app/owner/orders/search.server.ts";
import { countReturns } from "#app/owner/returns/search.server.ts";
import { may } from "#app/staff/roles.ts";
import { keepScreen, useKeptScreen } from "../connection/keep-screen.browser.ts";
import { OfflineNotice } from "../connection/offline-notice.tsx";
import { PendingBar } from "../connection/pending-bar.tsx";
import { useScriptsAhead, useScriptsFirst } from "../connection/scripts-ahead.browser.ts";
import { Rail, Tabs } from "../frame/rail.tsx";
import { ShopZone } from "../frame/times.tsx";
import { requireStaff, staffOf } from "../http/staff.server.ts";
import { KindsContext } from "../kinds/context.ts";
import { ScreenError } from "../root.tsx";

/** Reads the owner's settings, so that what each screen and press takes for known is as it is now. */
async function readSettings(): Promise<void> {
  await shopSettings(db());
}

export const middleware = [requireStaff, readSettings];
export const clientMiddleware = [keepScreen];

export async function loader({ context }: LoaderFunctionArgs) {
  const { name, email, role } = staffOf(context);
  return {
    name: name || email,
    role,
    zone: env.SHOP_TIMEZONE,
    version: VERSION,
    kinds: knownKinds(),
    counts: {
      orders: may(role, "orders") ? await countOrders(db(), { view: "to-send" }) : 0,
      returns: may(role, "details") ? (await countReturns(db())).waiting : 0,
    },
  };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";

export default function Layout() {
  useKeptScreen();
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
        <ScreenError error={error} />
      </div>
    </Frame>
  );
}

/**
 * The frame around a screen, also around one that has failed. If the layout's own loader has failed, there is no frame.
 */
function Frame({ children }: { children: React.ReactNode }) {
  const known = useLoaderData<typeof loader | undefined>();
  const isFetching = useScriptsFirst();
  useScriptsAhead(known?.role);
  if (!known) return <main className="p-4">{children}</main>;
  const { name, role, zone, version, kinds, counts } = known;
  return (
    <ShopZone value={zone}>
      <KindsContext value={kinds}>
        <PendingBar isFetching={isFetching} />
        <div className="min-h-screen pb-16 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pb-0">
          <Rail role={role} name={name} version={version} counts={counts} />
          <main className="max-w-310 px-4 pb-8 lg:px-10 lg:pb-12 2xl:max-w-400">
            <OfflineNotice />
            {children}
          </main>
        </div>
        <Tabs role={role} counts={counts} />
      </KindsContext>
    </ShopZone>
  );
}
