import { Link, useRouteLoaderData } from "react-router";
import { PersonIcon, RightIcon } from "#app/ui/icons.tsx";
import { Page } from "../frame/page.tsx";
import { menuFor } from "../frame/places.ts";
import type { loader } from "./layout.tsx";

/** Links to the places that do not fit into a phone's bottom navigation. */
export default function More() {
  const known = useRouteLoaderData<typeof loader>("routes/layout");
  if (!known) return null;
  const row = "flex min-h-13 items-center gap-3 border-b border-hairline text-[0.9375rem] font-medium";
  return (
    <Page title="More">
      <ul>
        {menuFor(known.role).map(({ to, title, Icon }) => (
          <li key={to}>
            <Link to={to} className={row}>
              <Icon className="size-5 text-muted" />
              {title}
              <RightIcon className="ml-auto size-5 text-muted" />
            </Link>
          </li>
        ))}
        <li>
          <Link to="/me" className={row}>
            <PersonIcon className="size-5 text-muted" />
            {known.name}: sign-in and devices
            <RightIcon className="ml-auto size-5 text-muted" />
          </Link>
        </li>
      </ul>
      <p className="mt-6 text-sm text-muted">Version {known.version}</p>
    </Page>
  );
}
