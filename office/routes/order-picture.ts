import { data, type LoaderFunctionArgs } from "react-router";
import { photographResponse } from "#app/catalog/pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { parcelPicture } from "#app/orders/parcel-pictures/pictures.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** A photograph of an order's packed parcel. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "orders");
  const { number = "", id = "" } = params;
  const photograph = await photographResponse(id, parcelPicture(db(), number, id));
  if (!photograph) throw data(null, 404);
  return photograph;
}
