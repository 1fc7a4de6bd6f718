import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { customerData } from "#app/customer-data/user-document.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Route } from "./+types/account-data";

/** A download of all data that the shop keeps about the signed-in shopper, as one JSON document. */
export async function loader({ request }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return redirect("/login?next=/account", 303);
  const document = await customerData(db(), user.id, env.publicUrl.origin);
  return new Response(JSON.stringify(document, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="irepo-my-data.json"',
    },
  });
}
