import { Form, type LoaderFunctionArgs, redirect, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { NEW_MAX, OLD_MAX } from "#app/content/old-addresses/address.ts";
import { db } from "#app/infra/database/db.server.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { oldAddress, setOldAddress } from "#app/owner/shop/old-addresses.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { SaveButton } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, notDoneText, unlessOffline } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const old = storableText(new URL(request.url).searchParams.get("old") ?? "").slice(0, OLD_MAX);
  return { old, stored: await oldAddress(db(), old) };
}

const text = z
  .string()
  .max(9 * NEW_MAX)
  .transform(storableText);

export const action = changes({
  save: change({
    needs: "shop",
    fields: z.object({ from: text, to: text, wasFrom: text.default(""), wasTo: text.default("") }),
    returnsTyped: true,
    run: async ({ by, fields: { from, to, wasFrom, wasTo } }) => {
      const was = wasFrom ? { from: wasFrom, to: wasTo } : undefined;
      const done = await setOldAddress(db(), by, { from, to }, was);
      if (done.ok) return redirect(`/shop/addresses?q=${encodeURIComponent(done.address.from)}`);
      return { ok: false, problems: { ...done.problems } };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

/** The form that adds or changes an old address. */
export default function Address() {
  const { old, stored } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const refused = done && !done.ok ? done : undefined;
  const problems: Record<string, string> = refused && "problems" in refused ? refused.problems : {};
  const typed: Record<string, string> = (refused && "values" in refused ? refused.values : undefined) ?? {};
  return (
    <Page
      title={stored ? "Change an old address" : "Add an old address"}
      about="The path alone, without the host. Upper and lower case don’t matter, nor does a slash at the end"
      back={{ to: "/shop/addresses", title: "Old addresses" }}
    >
      <Form method="post" className="mt-5 grid max-w-120 gap-4">
        <input type="hidden" name="intent" value="save" />
        {stored && <input type="hidden" name="wasFrom" value={stored.from} />}
        {stored && <input type="hidden" name="wasTo" value={stored.to} />}
        {refused && "problem" in refused && <Notice kind="error">{notDoneText(refused, "Nothing was saved.")}</Notice>}
        <Field label="Old address" problem={problems.from}>
          <input
            name="from"
            defaultValue={typed.from ?? stored?.from ?? old}
            placeholder="/pages/about-us"
            spellCheck={false}
            className="input"
          />
        </Field>
        <Field label="Leads to" note="a page of this shop" problem={problems.to}>
          <input
            name="to"
            defaultValue={typed.to ?? stored?.to}
            placeholder="/about"
            spellCheck={false}
            className="input"
          />
        </Field>
        <SaveButton isPending={isPending} className="justify-self-start" />
      </Form>
    </Page>
  );
}
