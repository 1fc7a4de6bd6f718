import { data, redirect } from "react-router";
import { findPreview, leavePreview, openPreview } from "#app/content/preview/preview.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import * as messages from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/preview";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Preview", hidden: true });

/** Links that open nothing that one network may try within ten minutes before it has to wait. */
const AT_ONCE = [30, 10 * MINUTE] as const;

/** Opens a link, which leads to its page. Without one, the page says what a preview is for. 404 if there is none. */
export async function loader({ request, params: { code } }: Route.LoaderArgs) {
  const cookies = request.headers.get("cookie") ?? "";
  if (code === undefined) {
    const isOn = (await findPreview(db(), cookies)) !== undefined;
    return data({ isOn }, isOn ? 200 : 404);
  }
  const opened = await openPreview(db(), code, cookies);
  if (opened)
    throw redirect(opened.path, { status: 303, ...(opened.cookie && { headers: { "Set-Cookie": opened.cookie } }) });
  const turn = await networkTurn(db(), request, "wrong preview links", AT_ONCE);
  if (!turn.ok) throw data(null, { status: 429, headers: { "Retry-After": String(turn.retryAfter) } });
  return data({ isOn: false }, 404);
}

/** Leaves the preview. */
export async function action({ request }: Route.ActionArgs) {
  const { path, cookie } = await leavePreview(db(), request.headers.get("cookie") ?? "");
  throw redirect(path, { status: 303, headers: { "Set-Cookie": cookie } });
}

export default function PreviewPage({ loaderData: { isOn } }: Route.ComponentProps) {
  return (
    <Notice title="Preview">
      <p className="text-lg">{isOn ? messages.preview.refused : messages.preview.over}</p>
      {isOn && (
        <form method="post" action="/preview">
          <Button>Leave preview</Button>
        </form>
      )}
    </Notice>
  );
}
