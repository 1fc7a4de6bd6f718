import { type ActionFunctionArgs, type ClientActionFunctionArgs, data } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { previewRates, type RatesImport } from "#app/owner/delivery/import.server.ts";
import { answerOr } from "../connection/away.browser.ts";
import { ratesFile } from "../delivery/file.ts";
import { fieldsOf, postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** What would come of a file. Posted, as it is too long for an address; nothing is changed. */
export async function action({ request, context }: ActionFunctionArgs): Promise<RatesImport> {
  requirePermission(context, "delivery");
  const file = ratesFile.safeParse(fieldsOf(await postedForm(request)));
  if (!file.success) throw data(null, 400);
  return previewRates(db(), { text: file.data.text, isAll: file.data.all === "on" });
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return answerOr(() => serverAction<typeof action>(), undefined);
}
