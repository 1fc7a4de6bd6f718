import type { MouseEvent } from "react";
import { Link, type LinkProps, useLocation } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import type { Role } from "#app/staff/own-roles.server.ts";
import { Letters } from "#app/ui/frame/wordmark.tsx";
import { MoreIcon } from "./icons.tsx";
import { firstInMenu, type MenuItem, menuFor } from "./places.ts";

export type Counts = Partial<Record<MenuItem["count"] & string, number>>;
type Props = { role: Role; name: string; version: string; counts: Counts };

/** The menu at the left of wide windows. */
export function Rail({ role, name, version, counts }: Props) {
  const { name: shop } = useBrand();
  return (
    <nav
      aria-label="Office"
      className="sticky top-0 hidden h-screen flex-col gap-0.5 overflow-y-auto border-r border-hairline px-3 py-5 lg:flex print:hidden"
    >
      <Link to="/" className="mb-5 ml-2.5" aria-label={`${shop} office`}>
        <Letters className="h-3.5 w-auto" />
        <span className="sr-only">{`${shop} office `}</span>
      </Link>
      {menuFor(role).map(({ to, within, title, Icon, count, begins }) => (
        <MenuLink
          key={to}
          to={to}
          within={within}
          className={`${begins ? "mt-3" : ""} group flex min-h-9 items-center gap-2.5 rounded-cut px-2.5 font-medium text-[#4a4339] hover:bg-linen/60 aria-[current]:bg-linen aria-[current]:font-semibold aria-[current]:text-ink`}
        >
          <Icon className="size-5" />
          {title}{" "}
          {count && (
            <Count
              className="ml-auto font-semibold text-waiting group-aria-[current]:text-inherit"
              count={counts[count]}
            />
          )}{" "}
        </MenuLink>
      ))}
      <MenuLink to="/me" className="mt-auto block border-t border-hairline px-2.5 pt-3 hover:underline">
        <span className="block truncate font-semibold">{name}</span>{" "}
        <span className="text-muted capitalize">{role.name}</span>
      </MenuLink>
      <p className="px-2.5 pt-1 text-xs text-muted">Version {version}</p>
    </nav>
  );
}

/** The tabs at the bottom of a phone: the first items of the menu, and a link to the others. */
export function Tabs({ role, counts }: Omit<Props, "name" | "version">) {
  return (
    <nav
      aria-label="Office"
      className="fixed inset-x-0 bottom-0 z-20 grid h-[calc(3.5rem+env(safe-area-inset-bottom))] grid-cols-5 border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {[...firstInMenu(role), { to: "/more", within: [], title: "More", Icon: MoreIcon, count: undefined }].map(
        ({ to, within, title, Icon, count }) => (
          <MenuLink
            key={to}
            to={to}
            within={within}
            onClick={ignoreDoublePress}
            className="relative grid content-center justify-items-center text-xs leading-4 font-medium text-muted aria-[current]:text-ink aria-[current]:before:absolute aria-[current]:before:-top-px aria-[current]:before:h-0.5 aria-[current]:before:w-8 aria-[current]:before:bg-ink"
          >
            <Icon className="size-5" />
            {title}{" "}
            {count && (
              <Count
                className="absolute top-1 left-[calc(50%+6px)] h-4.5 min-w-4.5 rounded-full bg-ember-deep px-1 text-center text-[0.6875rem] leading-4.5 font-bold text-white"
                count={counts[count]}
              />
            )}{" "}
          </MenuLink>
        ),
      )}
    </nav>
  );
}

/** A link that is marked on its own page, on those below it, and on the pages `within` and below them. */
function MenuLink({ to, within = [], ...link }: LinkProps & { to: string; within?: string[] }) {
  const { pathname } = useLocation();
  const isHere = [to, ...within].some((path) => pathname === path || (path !== "/" && pathname.startsWith(`${path}/`)));
  return <Link to={to} aria-current={isHere ? "page" : undefined} {...link} />;
}

/**
 * Ignores the second press of a double press. A panel's button lies over the tabs and disappears after the first press,
 * so the second press would open a tab.
 */
function ignoreDoublePress(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}

function Count({ count, className }: { count?: number; className: string }) {
  if (!count) return null;
  return (
    <span className={`tabular-nums ${className}`}>
      {count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
