import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { LOCKED_EMAILS } from "#app/owner/texts/emails.server.tsx";
import { listTexts } from "#app/owner/texts/versions.server.ts";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { WordsTable } from "../words/table.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  return { texts: await listTexts(db()), locked: LOCKED_EMAILS };
}

export default function Words() {
  useFresh();
  const { texts, locked } = useLoaderData<typeof loader>();
  return (
    <Page title="Words" about="The texts of pages and emails. Each publishing can be taken back">
      <WordsTable label="Pages" texts={texts.filter(({ path }) => path !== undefined)} />
      <Section title="Emails">
        <WordsTable label="Emails" texts={texts.filter(({ path }) => path === undefined)} />
        <Hint className="mt-3">{`These stay as they are: ${locked.join("; ")}.`}</Hint>
      </Section>
    </Page>
  );
}
