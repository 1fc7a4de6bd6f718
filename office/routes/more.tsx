import { Link, useRouteLoaderData } from "react-router";
import { PersonIcon, RightIcon } from "#app/ui/icons.tsx";
import { Page } from "../frame/page.tsx";
import { menuFor } from "../frame/places.ts";
import type { loader } from "./layout.tsx";

/** Links to all places, since not all fit into a phone's bottom navigation. */
export default function More() {
  const known = useRouteLoaderData<typeof loader>("routes/layout");
  if (!known) return null;
  const { name, role, version } = known;
  const me = { to: "/me", title: name, about: "Sign-in, devices and notifications", Icon: PersonIcon };
  return (
    <Page title="More">
      <ul>
        {[...menuFor(role), me].map(({ to, title, about, Icon }) => (
          <li key={to}>
            <Link to={to} className="flex min-h-14 items-center gap-3 border-b border-hairline py-2">
              <Icon className="size-5 flex-none text-muted" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block text-[0.9375rem] font-medium">{title}</span>{" "}
                <span className="block text-[0.8125rem] leading-4.5 text-muted">{about}</span>
              </span>
              <RightIcon className="size-5 flex-none text-muted" />
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-sm text-muted">Version {version}</p>
    </Page>
  );
}
