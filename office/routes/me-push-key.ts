import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { publicKey } from "#app/staff/notifications/keys.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** The public key of the shop, with which a browser makes a subscription to notifications. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "look");
  return Response.json({ key: (await publicKey(db())).toString("base64url") });
}
