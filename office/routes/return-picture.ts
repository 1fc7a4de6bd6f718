import { data, type LoaderFunctionArgs } from "react-router";
import { awayResponse } from "#app/catalog/pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { photographHeaders, returnPicture } from "#app/orders/returns/pictures.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** A photograph that a shopper has sent with a return. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "details");
  const { id = "" } = params;
  const bytes = await returnPicture(db(), id).catch(awayResponse);
  if (bytes instanceof Response) return bytes;
  if (!bytes) throw data(null, 404);
  return new Response(bytes, { headers: photographHeaders(id) });
}
