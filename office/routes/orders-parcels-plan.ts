import type { ActionFunctionArgs, ClientActionFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { planParcels } from "#app/owner/orders/parcels.server.ts";
import { answerOr } from "../connection/away.browser.ts";
import { postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { type ParcelPlan, sheetKey } from "../orders/parcel-plan.ts";
import { readSheet } from "../orders/sheet.server.ts";

/** What would come of a sheet, row by row. Posted, as it is too long for an address; nothing is changed. */
export async function action({ request, context }: ActionFunctionArgs) {
  requirePermission(context, "orders");
  return planParcels(db(), readSheet(await postedForm(request)));
}

export async function clientAction({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<ParcelPlan | undefined> {
  const sheet = await request.clone().formData();
  const planned = await answerOr(() => serverAction<typeof action>(), undefined);
  return planned && { of: sheetKey(String(sheet.get("rows")), String(sheet.get("carrier"))), planned };
}
