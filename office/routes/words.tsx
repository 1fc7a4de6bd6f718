import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { isTextPage } from "#app/content/pages.ts";
import { db } from "#app/infra/database/db.server.ts";
import { LOCKED } from "#app/messages/ownable.ts";
import { emailNamed, LOCKED_EMAILS } from "#app/owner/texts/emails.server.tsx";
import { messageNamed } from "#app/owner/texts/messages.ts";
import { listTexts, type TextRow } from "#app/owner/texts/versions.server.ts";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Search } from "../frame/list-tools.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { type ListedMessage, Messages } from "../words/messages.tsx";
import { WordsTable } from "../words/table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const sought = new URL(request.url).searchParams.get("q")?.trim().toLowerCase() ?? "";
  const isFound = (text = "") => text.toLowerCase().includes(sought);
  const texts = await listTexts(db());
  return {
    pages: texts.filter(({ page }) => isTextPage(page)),
    emails: texts.filter(({ page }) => emailNamed(page)),
    messages: texts.flatMap(listed).filter(({ text, inCode }) => isFound(text) || isFound(inCode)),
    lockedMessages: LOCKED.filter(isFound),
    lockedEmails: LOCKED_EMAILS,
    sought,
  };
}

/** A message in its list; nothing for other texts. */
function listed({ page, last, planned }: TextRow): ListedMessage[] {
  const message = messageNamed(page);
  if (!message) return [];
  const { topic, text: inCode } = message;
  const [newest] = last?.blocks ?? [];
  const text = newest && newest.kind !== "list" ? newest.text : inCode;
  const isChanged = last !== undefined;
  return [
    { page, topic, text, isChanged, ...(text !== inCode && { inCode }), planned: planned?.publishedAt ?? undefined },
  ];
}

export default function Words() {
  useFresh();
  const { pages, emails, messages, lockedMessages, lockedEmails, sought } = useLoaderData<typeof loader>();
  const isFound = messages.length + lockedMessages.length > 0;
  return (
    <Page title="Words" about="The texts of pages, emails and messages. Each publishing can be taken back">
      <WordsTable label="Pages" texts={pages} />
      <Section title="Emails">
        <WordsTable label="Emails" texts={emails} />
        <Hint className="mt-3">{`These stay as they are: ${lockedEmails.join("; ")}.`}</Hint>
      </Section>
      <Section title="Messages" aside={<Search label="Part of a message" />}>
        {isFound ? (
          <Messages messages={messages} locked={lockedMessages} isOpen={sought !== ""} />
        ) : (
          <Hint>No message has these words.</Hint>
        )}
      </Section>
    </Page>
  );
}
