import type { ActionFunctionArgs, ClientActionFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { planParcels } from "#app/owner/orders/parcels/parcels.server.ts";
import { answerOrNoteAway } from "../connection/away.browser.ts";
import { OFFICE_FORM, postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { type ParcelPlan, sheetKey } from "../orders/parcel-plan.ts";
import { readSheet, SHEET_FORM } from "../orders/sheet.server.ts";

/** The preview of a sheet, row by row. It uses POST because the sheet is too long for a URL; nothing is changed. */
export async function action({ request, context }: ActionFunctionArgs) {
  requirePermission(context, "packing");
  return planParcels(db(), readSheet(await postedForm(request, { ...OFFICE_FORM, ...SHEET_FORM })));
}

export async function clientAction({
  request,
  serverAction,
}: ClientActionFunctionArgs): Promise<ParcelPlan | undefined> {
  const sheet = await request.clone().formData();
  const planned = await answerOrNoteAway(() => serverAction<typeof action>(), undefined);
  return planned && { of: sheetKey(String(sheet.get("rows")), String(sheet.get("carrier"))), planned };
}
