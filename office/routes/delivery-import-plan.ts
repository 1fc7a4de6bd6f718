import { type ActionFunctionArgs, type ClientActionFunctionArgs, data } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { previewRates, type RatesImport } from "#app/owner/delivery/import.server.ts";
import { answerOrNoteAway } from "../connection/away.browser.ts";
import { RATES_FORM, ratesFile } from "../delivery/file.ts";
import { fieldsOf, OFFICE_FORM, postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/**
 * The preview of a file with delivery rates. It uses POST because the file is too long for a URL; nothing is changed.
 */
export async function action({ request, context }: ActionFunctionArgs): Promise<RatesImport> {
  requirePermission(context, "delivery");
  const file = ratesFile.safeParse(fieldsOf(await postedForm(request, { ...OFFICE_FORM, ...RATES_FORM })));
  if (!file.success) throw data(null, 400);
  return previewRates(db(), { text: file.data.text, isAll: file.data.all === "on" });
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return answerOrNoteAway(() => serverAction<typeof action>(), undefined);
}
