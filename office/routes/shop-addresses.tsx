import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { removeOldAddress, searchMissedAddresses, searchOldAddresses } from "#app/owner/shop/old-addresses.server.ts";
import { PlusIcon } from "#app/ui/icons.tsx";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink, PlainLink } from "../frame/button.tsx";
import { keepWhatIsTyped, notDoneText } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { List, ListViews, Pager, Search } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { change, changes } from "../http/changes.server.ts";
import { keysetOf, listParams } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { MissedAddressRow, OldAddressRow } from "../shop/address-rows.tsx";

const VIEWS = { old: "Old addresses", missed: "Asked for and not found" };

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const params = new URL(request.url).searchParams;
  const { text, oneOf } = listParams(params);
  if (oneOf("view", ["missed"]))
    return { view: "missed" as const, ...(await searchMissedAddresses(db(), text, keysetOf(params))) };
  return { view: "old" as const, ...(await searchOldAddresses(db(), text, keysetOf(params))) };
}

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;
export const action = changes({
  remove: change({
    needs: "shop",
    fields: z.object({ from: z.string().max(300) }),
    run: async ({ by, fields: { from } }) =>
      (await removeOldAddress(db(), by, from))
        ? { ok: true, what: `${from} is removed` }
        : { ok: false, problem: `${from} is no longer in the list` },
  }),
});

export default function Addresses() {
  const loaded = useLoaderData<typeof loader>();
  const { view, newer, older } = loaded;
  const done = useAnswer<typeof action>();
  const isMissed = view === "missed";
  return (
    <Page
      title="Old addresses"
      about="Links to your former shop lead to pages of this one. An address that has a page of its own is never redirected"
      back={{ to: "/shop", title: "Shop" }}
      actions={
        <>
          <PlainLink href="/shop/addresses/export.csv" download>
            <DownloadIcon className="size-5" />
            Export
          </PlainLink>
          <ButtonLink to="/shop/addresses/import" look="line">
            Import
          </ButtonLink>
          <ButtonLink to="/shop/addresses/address">
            <PlusIcon className="size-5" />
            New <span className="max-lg:sr-only">address</span>
          </ButtonLink>
        </>
      }
    >
      <ListViews names={VIEWS} first="old" current={view} counts={{}} />
      {done?.ok && <Notice kind="done">{done.what}.</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="error">{notDoneText(done)}</Notice>}
      <div className="flex py-3">
        <Search label="Part of an address" />
      </div>
      <List
        rows={loaded.rows}
        one="link"
        nothing={isMissed ? "Nothing yet. The shop counts by the minute." : "No old addresses yet."}
        all={isMissed ? "/shop/addresses?view=missed" : "/shop/addresses"}
      >
        <ul className="border-t border-hairline">
          {loaded.view === "missed"
            ? loaded.rows.map((one) => <MissedAddressRow key={one.path} address={one} />)
            : loaded.rows.map((one) => <OldAddressRow key={one.from} address={one} />)}
        </ul>
        <Pager
          about={`${plural(loaded.rows.length, "address", "addresses")} on this page`}
          newer={newer}
          older={older}
          names={["Previous", "Next"]}
        />
      </List>
      {isMissed && (
        <p className="pt-3 text-muted">Without what stood behind a question mark; kept for at most 90 days.</p>
      )}
    </Page>
  );
}
