import { isDeepStrictEqual } from "node:util";
import { useContext, useState } from "react";
import { data, Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { PRICES, SUBJECT_MAX, TEXT_MAX, writeNotation } from "#app/content/notation.ts";
import { PageText } from "#app/content/text.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { typedMoment } from "#app/owner/shop-time.server.ts";
import { MESSAGE_MAX } from "#app/owner/texts/check.server.ts";
import { emailNamed, previewEmail } from "#app/owner/texts/emails.server.tsx";
import { messageNamed } from "#app/owner/texts/messages.ts";
import { describeText, isTextName, originalSubject, originalText } from "#app/owner/texts/texts.server.ts";
import { ORIGINAL, textVersions } from "#app/owner/texts/versions.server.ts";
import { ContactContext } from "#app/ui/frame/contact.tsx";
import type { RenderedMail } from "#app/ui/mail.tsx";
import type { TextBlock } from "#db/types.ts";
import { ConflictNotice } from "../conflict/notice.tsx";
import { useVersioned } from "../conflict/use-versioned.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, SeeIt } from "../frame/button.tsx";
import { Field, TextField } from "../frame/field.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice, PreviewNotice } from "../frame/notice.tsx";
import { Hint, Page, Section } from "../frame/page.tsx";
import { ShopZone, Time } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { WORDS_CHANGES } from "../words/changes.server.ts";
import { History } from "../words/history.tsx";
import { MailPreview } from "../words/mail-preview.tsx";

export async function loader({ params: { id = "" }, request, context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  if (!isTextName(id)) throw data(null, 404);
  const [versions, { contact, numbers }] = await Promise.all([textVersions(db(), id), shopSettings(db())]);
  const original = originalText(id, numbers);
  const subjectInCode = originalSubject(id);
  const [newest] = versions;
  const stored = newest?.blocks ?? original;
  const asked = new URL(request.url).searchParams.get("version");
  const all = [...versions, { version: ORIGINAL, subject: subjectInCode, blocks: original }];
  const chosen = all.find(({ version }) => String(version) === asked);
  const planned = versions.find(({ state }) => state === "planned");
  const { title, path } = describeText(id);
  const email = emailNamed(id);
  const subject = newest?.subject ?? subjectInCode;
  const read = chosen?.blocks ? { subject: chosen.subject, blocks: chosen.blocks } : { subject, blocks: stored };
  return {
    title,
    path,
    email: email && {
      facts: email.facts,
      needs: email.needs,
      mail: await previewEmail(db(), email, read.blocks, read.subject),
    },
    message: messageOf(id),
    newest: newest?.version ?? ORIGINAL,
    savedBy: newest?.savedBy,
    subject,
    text: writeNotation(stored),
    blocks: stored,
    asked: chosen?.blocks && { version: chosen.version, blocks: chosen.blocks },
    planned: planned?.publishedAt && { version: planned.version, at: planned.publishedAt },
    plannedText: planned?.publishedAt ? typedMoment(planned.publishedAt) : "",
    isOriginal: !versions.some(({ state }) => state === "shown"),
    history: versions.map(({ blocks, subject, ...version }, at) => {
      const before = versions[at + 1] ?? { subject: subjectInCode, blocks: original };
      return {
        ...version,
        changed: changedBlocks(before.blocks ?? original, blocks ?? []),
        isSubjectNew: subject !== before.subject,
      };
    }),
    shop: env.publicUrl.origin,
    contact,
  };
}

/** A message's topic, text in code and placeholders. Undefined for other texts. */
function messageOf(id: string) {
  const message = messageNamed(id);
  return message && { ...message, values: message.values.map(([, name]) => name), most: MESSAGE_MAX };
}

/** How many blocks a version has added, or removed if these are more. */
function changedBlocks(before: TextBlock[], after: TextBlock[]): number {
  const missing = (from: TextBlock[], blocks: TextBlock[]) =>
    blocks.filter((block) => !from.some((one) => isDeepStrictEqual(one, block))).length;
  return Math.max(missing(before, after), missing(after, before));
}

export const action = changes(WORDS_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/**
 * The text of a page or email, with an email's subject: a form in a plain notation, a preview (of pages also in the
 * shop), and all versions.
 */
export default function WordsPage() {
  useFresh();
  const { title, path, email, message, newest, planned, history, isOriginal, shop } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  const isPreview = refused && "blocks" in refused;
  const isSaying = refused && "problem" in refused && !refused.link && !(refused.isStale && refused.intent === "save");
  return (
    <Page
      title={title}
      back={{ to: "/words", title: "Words" }}
      about={
        email
          ? "Email · Its buttons and facts stay as they are"
          : message
            ? `Message · ${message.topic} · At first: ${message.text}`
            : `${path} · Titles stay as they are`
      }
      actions={path && <SeeIt href={shop + path} />}
    >
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {isSaying && (
        <Notice kind={isPreview ? "info" : "error"}>
          {isPreview ? refused.problem : notDoneText(refused, "Nothing was saved.")}
        </Notice>
      )}
      {refused && "problems" in refused && refused.intent !== "save" && (
        <Notice kind="error">{Object.values(refused.problems).join(" ")}</Notice>
      )}
      {planned && <Planned />}
      <div className="lg:grid lg:grid-cols-2 lg:gap-x-16">
        <WordsForm key={title} />
        <div>
          <Preview typed={isPreview ? refused : undefined} />
          <Section title="History">
            <History
              versions={history}
              now={email ? "In the email now" : "In the shop now"}
              isOriginal={isOriginal}
              seen={String(newest)}
            />
          </Section>
        </div>
      </div>
    </Page>
  );
}

/** The notice about a planned version, which will replace any that is published before. */
function Planned() {
  const { planned, email } = useLoaderData<typeof loader>();
  if (!planned) return null;
  return (
    <Notice
      kind="info"
      actions={
        <Form method="post" preventScrollReset>
          <Button look="line" name="intent" value="withdraw">
            Withdraw it
          </Button>
        </Form>
      }
    >
      <span>{`Version ${planned.version} is planned.`}</span>{" "}
      <span>
        <span>{email ? "The email has it" : "The shop shows it"}</span> from <Time at={planned.at} />, whatever you
        publish before.
      </span>
    </Notice>
  );
}

/**
 * The form for a new version. What is typed stays in it while others publish, and is replaced only by a version that
 * this member puts back.
 */
function WordsForm() {
  const { newest, subject, text } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const [filled, setFilled] = useState({ version: newest, subject, text });
  const isPutBack = done?.ok && done.intent === "put-back" && done.version === String(newest);
  if (isPutBack && filled.version !== newest) setFilled({ version: newest, subject, text });
  return <Fields key={filled.version} subject={filled.subject} text={filled.text} />;
}

function Fields({ subject, text }: { subject?: string; text: string }) {
  const { newest, savedBy, plannedText, blocks, email, message, subject: theirs } = useLoaderData<typeof loader>();
  const zone = useContext(ShopZone);
  const done = useAnswer<typeof action>();
  const pending = useNavigation().formData?.get("press");
  const { seen, isStale, problems, typed } = useVersioned(newest, done);
  const link = done && "link" in done ? done.link : undefined;
  return (
    <Section title="Text">
      <Form method="post" preventScrollReset className="grid gap-4.5">
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="seen" value={seen} />
        {isStale && (
          <ConflictNotice head="Somebody else has changed this text.">
            Publish again to replace theirs.
            <span className="mt-2 block font-semibold">{`Theirs, by ${savedBy}:`}</span>
            {theirs && <span className="block wrap-anywhere">{`Subject: ${theirs}`}</span>}
            <span className="block whitespace-pre-line wrap-anywhere">{writeNotation(blocks)}</span>
          </ConflictNotice>
        )}
        {email && (
          <TextField
            label="Subject"
            problem={problems.subject}
            name="subject"
            defaultValue={typed?.subject ?? subject}
            maxLength={SUBJECT_MAX}
          />
        )}
        <Field label="Text" note={message ? undefined : "a blank line begins a paragraph"} problem={problems.text}>
          <textarea
            name="text"
            rows={message ? 4 : email ? 10 : 20}
            defaultValue={typed?.text ?? text}
            maxLength={message?.most ?? TEXT_MAX}
            className="input"
            autoComplete="off"
          />
        </Field>
        {message ? <MessageHint {...message} /> : <NotationHint isEmail={email !== undefined} />}
        {email && <Facts {...email} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button look="line" name="press" value="preview" isPending={pending === "preview"}>
            Preview
          </Button>
          {!email && !message && (
            <Button look="line" name="press" value="shop" isPending={pending === "shop"}>
              Preview in the shop
            </Button>
          )}
          <Button name="press" value="now" isPending={pending === "now"}>
            Publish now
          </Button>
        </div>
        {link && <PreviewNotice link={link} />}
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label="Or at a time"
            note={zone}
            problem={problems.at}
            type="datetime-local"
            name="at"
            defaultValue={typed?.at ?? plannedText}
            className="tabular-nums"
          />
          <Button look="line" name="press" value="later" isPending={pending === "later"}>
            Publish then
          </Button>
        </div>
      </Form>
    </Section>
  );
}

function NotationHint({ isEmail }: { isEmail: boolean }) {
  return (
    <Hint>
      <code># </code>begins a heading, <code>- </code>an item of a list. <code>[our shop](/shop)</code> is a link to a
      page of the shop, <code>[the cloth](https://…)</code> to another site. The shop fills in <code>{"{email}"}</code>
      {isEmail ? (
        <span>, your address.</span>
      ) : (
        <span>
          {" "}
          and, on the page about shipping, <code>{PRICES}</code>.
        </span>
      )}
    </Hint>
  );
}

/** The rules of a message's text. */
function MessageHint({ most, values }: { most: number; values: string[] }) {
  return (
    <Hint>
      <span>{`One paragraph of at most ${most} letters, without links.`}</span>{" "}
      {values.length > 0 && (
        <span>
          The shop fills in <code>{values.map((name) => `{${name}}`).join(", ")}</code>
          <span>: each has to stay.</span>
        </span>
      )}
    </Hint>
  );
}

/** An email's placeholders, each with its value in the preview. `needs`: those that its text must have. */
function Facts({ facts, needs }: { facts: Record<string, string>; needs: readonly string[] }) {
  const rows = Object.entries(facts);
  if (rows.length === 0) return null;
  return (
    <div className="text-[0.8125rem] leading-4.5 text-muted wrap-anywhere">
      <p>It fills in what differs from email to email, in the subject too:</p>
      <ul>
        {rows.map(([name, value]) => (
          <li key={name}>
            <code>{`{${name}}`}</code> <span>{needs.includes(name) ? `${value} (has to stay)` : value}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How the shop shows what was typed, else the version that was asked for, else the newest one. */
function Preview({ typed }: { typed?: { blocks?: TextBlock[]; mail?: RenderedMail } }) {
  const { blocks, asked, newest, shop, contact, email } = useLoaderData<typeof loader>();
  const version = asked?.version ?? newest;
  const prices = <p className="rounded-cut bg-linen px-3 py-2 text-base text-muted">The delivery prices stand here.</p>;
  const title = typed ? "Preview" : version === 0 ? "The first text" : `Version ${version}`;
  if (email)
    return (
      <Section title={title}>
        <MailPreview {...(typed?.mail ?? email.mail)} />
      </Section>
    );
  return (
    <Section title={title}>
      <div className="prose-page rounded-cut border border-hairline pb-6 text-lg">
        <ContactContext value={contact}>
          <PageText blocks={typed?.blocks ?? asked?.blocks ?? blocks} prices={prices} shop={shop} />
        </ContactContext>
      </div>
    </Section>
  );
}
