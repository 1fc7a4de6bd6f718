import { useState } from "react";
import { Form, type LoaderFunctionArgs, useNavigation } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { importOldAddresses, importText } from "#app/owner/shop/old-addresses.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped, notDoneText, unlessOffline } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { FileRows } from "../import/file-rows.tsx";
import { ADDRESSES_FORM, addressesFile } from "../shop/address-file.ts";

export function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  return null;
}

/** The most refused rows that the screen names. */
const MOST_NAMED = 100;

export const action = changes({
  import: change({
    needs: "shop",
    size: ADDRESSES_FORM,
    fields: addressesFile,
    run: async ({ by, fields: { text, skip } }) => {
      const done = await importOldAddresses(db(), by, storableText(text), skip === "on");
      if (done.ok) return { ok: true, what: importText(done) };
      return { ok: false, problem: importText(done), doubts: done.refused.slice(0, MOST_NAMED) };
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

export default function AddressesImport() {
  const done = useAnswer<typeof action>();
  const [text, setText] = useState("");
  const isPending = useNavigation().formData !== undefined;
  const refused = done && !done.ok && "problem" in done ? done : undefined;
  return (
    <Page
      title="Import old addresses"
      about="Two columns: the old address and the page of this shop. Shopify’s export of URL redirects fits, too"
      back={{ to: "/shop/addresses", title: "Old addresses" }}
    >
      {done?.ok ? (
        <Notice kind="done" actions={<ButtonLink to="/shop/addresses">Back to the list</ButtonLink>}>
          {done.what}.
        </Notice>
      ) : (
        <Form method="post" className="mt-5 grid gap-4.5 lg:max-w-240">
          <FileRows
            accept=".csv,text/csv"
            kinds="CSV"
            text={text}
            onText={setText}
            placeholder={"old,new\n/pages/about-us,/about"}
            problem={done && "problems" in done ? done.problems.text : undefined}
          />
          {refused && (
            <Notice kind="error">
              {notDoneText(refused, "Nothing was imported.")}
              {refused.doubts && (
                <ul className="mt-1">
                  {refused.doubts.map((line) => (
                    <li key={line} className="tabular-nums wrap-anywhere">
                      {line}
                    </li>
                  ))}
                </ul>
              )}
            </Notice>
          )}
          <label className="tick">
            <input type="checkbox" name="skip" />
            Leave out rows with mistakes, and import the others
          </label>{" "}
          <Button name="intent" value="import" isPending={isPending} className="justify-self-start">
            {isPending ? "Importing…" : "Import"}
          </Button>
        </Form>
      )}
    </Page>
  );
}
