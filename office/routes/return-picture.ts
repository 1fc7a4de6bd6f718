import { data, type LoaderFunctionArgs } from "react-router";
import { photographResponse } from "#app/catalog/pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { returnPicture } from "#app/orders/returns/pictures.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** A photograph that a shopper has sent with a return. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "details");
  const { id = "" } = params;
  const photograph = await photographResponse(id, returnPicture(db(), id));
  if (!photograph) throw data(null, 404);
  return photograph;
}
