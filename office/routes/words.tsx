import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { listTexts } from "#app/owner/texts/versions.server.ts";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { WordsTable } from "../words/table.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  return { pages: await listTexts(db()) };
}

export default function Words() {
  useFresh();
  const { pages } = useLoaderData<typeof loader>();
  return (
    <Page title="Words" about="The texts of pages. Each publishing can be taken back">
      <WordsTable pages={pages} />
    </Page>
  );
}
