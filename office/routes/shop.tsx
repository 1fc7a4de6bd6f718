import { useContext, useState } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import type { Actor } from "#app/infra/audit.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { storedSlides } from "#app/owner/shop/hero.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { NOTICE_MAX, SENDER_MAX, type ShopValueName, type ShopValues } from "#app/owner/shop/settings.ts";
import { typedMoment } from "#app/owner/shop-time.server.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink, PlainLink } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { State, type Tone } from "../frame/state.tsx";
import { ShopZone } from "../frame/times.tsx";
import { change, changes, type Outcome } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { contactFields, limitFields, noticeFields, senderFields, usualValues } from "../shop/fields.server.ts";
import { ValuesForm } from "../shop/values-form.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const values = await shopValues(db());
  const typed = (at: string | null) => (at ? typedMoment(new Date(at)) : "");
  return {
    values,
    usual: usualValues(),
    from: typed(values.noticeFrom),
    until: typed(values.noticeUntil),
    now: new Date().toJSON(),
    shop: env.publicUrl.href,
    titles: (await storedSlides(db())).map(({ title }) => title.replaceAll("\n", " ")),
  };
}

type Given = Partial<ShopValues> & { was: Partial<ShopValues> };

async function saved(by: Actor, { was, ...wanted }: Given): Promise<Outcome> {
  const done = await changeShop(db(), by, wanted, was);
  if (!done.ok) return { ok: false, problem: "Nothing was saved", meanwhile: done.meanwhile.join(", ") };
  return {
    ok: true,
    what: done.isNew ? "Saved. The shop shows it now." : "Nothing to change.",
    version: JSON.stringify(wanted),
  };
}

export const action = changes({
  contact: change({ needs: "shop", fields: contactFields, run: ({ by, fields }) => saved(by, fields) }),
  notice: change({ needs: "shop", fields: noticeFields, run: ({ by, fields }) => saved(by, fields) }),
  sender: change({ needs: "shop", fields: senderFields, run: ({ by, fields }) => saved(by, fields) }),
  limit: change({ needs: "shop", fields: limitFields, run: ({ by, fields }) => saved(by, fields) }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

const CONTACT = ["email", "whatsapp", "instagramUrl", "xUrl"] as const;
const NOTICE = ["notice", "noticeFrom", "noticeUntil"] as const;
const SENDER = ["sender", "senderPhone"] as const;
const LIMIT = ["sizeLimit"] as const;

const NAMES: Record<ShopValueName, string> = {
  email: "Email",
  whatsapp: "WhatsApp",
  instagramUrl: "Instagram",
  xUrl: "X",
  notice: "Notice",
  noticeFrom: "From",
  noticeUntil: "Until",
  sizeLimit: "Pieces of a size",
  sender: "Name and address",
  senderPhone: "Phone",
};

function part(values: ShopValues, names: readonly ShopValueName[]): Partial<ShopValues> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

export default function Shop() {
  useFresh();
  const { values, usual, shop, titles } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  const shown = (name: string, value: unknown) => {
    const usually = usual[name as keyof typeof usual];
    return `${NAMES[name as ShopValueName]}: ${value ?? usually ?? ""}`;
  };
  const form = { answer: done, shown };
  const text = (name: (typeof CONTACT)[number], note?: string) => (
    <Field label={NAMES[name]} note={note} problem={problems[name]}>
      <input
        name={name}
        type={name === "email" ? "email" : name === "whatsapp" ? "tel" : "url"}
        defaultValue={values[name] ?? usual[name]}
        maxLength={300}
        autoComplete="off"
        className="input"
      />
    </Field>
  );
  return (
    <Page
      title="Shop"
      about="The shop shows your changes as soon as you save"
      actions={
        <PlainLink href={shop} target="_blank" rel="noopener">
          See it
        </PlainLink>
      }
    >
      <div className="grid lg:grid-cols-2 lg:gap-x-16">
        <div>
          <Section title="Notice" aside={<NoticeState />}>
            <ValuesForm {...form} intent="notice" values={part(values, NOTICE)} submit="Save notice">
              <NoticeFields problems={problems} />
            </ValuesForm>
          </Section>
          <Section title="Limit per size">
            <ValuesForm {...form} intent="limit" values={part(values, LIMIT)} submit="Save limit">
              <Field
                label="Most in one order"
                note={usual.sizeLimit ? `empty: ${usual.sizeLimit}` : "empty: no limit"}
                problem={problems.sizeLimit}
              >
                <input
                  name="sizeLimit"
                  inputMode="numeric"
                  defaultValue={values.sizeLimit ?? ""}
                  autoComplete="off"
                  className="input max-w-40 tabular-nums"
                />
              </Field>
              <p className="text-[0.8125rem] leading-4.5 text-muted">
                Carts with more get a message, and check out without the rest.
              </p>
            </ValuesForm>
          </Section>
        </div>
        <div>
          <Section title="Home page">
            <p className="mb-3">{titles.join(" · ")}</p>
            <ButtonLink to="/shop/hero" look="line">
              Change slides
            </ButtonLink>
          </Section>
          <Section title="Contact">
            <ValuesForm {...form} intent="contact" values={part(values, CONTACT)} submit="Save contact">
              {text("email", "in the footer and emails, and beside questions")}
              {text("whatsapp", "with + and the country; empty: none")}
              {text("instagramUrl", "empty: none")}
              {text("xUrl", "empty: none")}
            </ValuesForm>
          </Section>
          <Section title="Sender">
            <ValuesForm {...form} intent="sender" values={part(values, SENDER)} submit="Save sender">
              <Field
                label={NAMES.sender}
                note={`up to ${SENDER_MAX.lines} lines; empty: ${new URL(shop).host}`}
                problem={problems.sender}
              >
                <textarea
                  name="sender"
                  rows={SENDER_MAX.lines}
                  defaultValue={values.sender}
                  autoComplete="off"
                  className="input"
                />
              </Field>
              <Field
                label={NAMES.senderPhone}
                note="with + and the country; empty: none"
                problem={problems.senderPhone}
              >
                <input
                  name="senderPhone"
                  type="tel"
                  defaultValue={values.senderPhone}
                  maxLength={30}
                  autoComplete="off"
                  className="input max-w-60 tabular-nums"
                />
              </Field>
              <p className="text-[0.8125rem] leading-4.5 text-muted">On address labels and packing slips.</p>
            </ValuesForm>
          </Section>
        </div>
      </div>
    </Page>
  );
}

function NoticeFields({ problems }: { problems: Record<string, string> }) {
  const { values, from, until } = useLoaderData<typeof loader>();
  const [text, setText] = useState(values.notice);
  const zone = useContext(ShopZone);
  const isHydrated = useHydrated();
  const moment = (name: "noticeFrom" | "noticeUntil", value: string) => (
    <Field label={NAMES[name]} note={`optional, ${zone}`} problem={problems[name]}>
      <input name={name} type="datetime-local" defaultValue={value} className="input tabular-nums" />
    </Field>
  );
  return (
    <>
      <Field
        label="Text"
        note={`above every page; ${NOTICE_MAX - text.length} characters left`}
        problem={problems.notice}
      >
        <input
          name="notice"
          value={text}
          readOnly={!isHydrated}
          onChange={({ target }) => setText(target.value)}
          maxLength={NOTICE_MAX}
          placeholder="We’re sending orders again from Monday"
          autoComplete="off"
          className="input"
        />
      </Field>
      {text.trim() !== "" && (
        <p className="bg-cocoa px-4 py-1.5 text-sm text-balance text-paper">
          <span className="sr-only">Preview: </span>
          {text}
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {moment("noticeFrom", from)}
        {moment("noticeUntil", until)}
      </div>
    </>
  );
}

/** Whether the shop shows the notice at the moment. */
function NoticeState() {
  const { values, now } = useLoaderData<typeof loader>();
  const { notice, noticeFrom, noticeUntil } = values;
  const [tone, words]: [Tone, string] =
    notice === ""
      ? ["rest", "None"]
      : noticeUntil && noticeUntil <= now
        ? ["rest", "Over"]
        : noticeFrom && noticeFrom > now
          ? ["waiting", "Scheduled"]
          : ["done", "In the shop now"];
  return <State tone={tone}>{words}</State>;
}
