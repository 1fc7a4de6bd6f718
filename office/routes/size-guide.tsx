import { data, Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { namesOfKinds } from "#app/catalog/product.ts";
import { db } from "#app/infra/database/db.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { collectionChoices } from "#app/owner/collections/collections.server.ts";
import { measureLines, storedSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";
import { may } from "#app/staff/roles.ts";
import { StaleNotice } from "../conflict/notice.tsx";
import { useVersioned } from "../conflict/use-versioned.ts";
import { useAnswer } from "../connection/answer.ts";
import { SaveButton } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Facts, Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { SIZE_GUIDE_CHANGES } from "../size-guides/changes.server.ts";
import { SizeGuideFields } from "../size-guides/fields.tsx";
import { gridValues } from "../size-guides/grid.ts";

export async function loader({ params: { id = "" }, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  const [guide, collections] = await Promise.all([storedSizeGuide(db(), id), collectionChoices(db())]);
  if (!guide) throw data(null, 404);
  const chosen = collections.filter((one) => guide.collections.includes(one.id));
  return {
    name: guide.name,
    version: guide.version,
    values: gridValues(guide),
    collections,
    facts: {
      falls: guide.falls,
      measures: measureLines(guide),
      places: [...namesOfKinds(knownKinds(), guide.kinds), ...chosen.map(({ name }) => name), ...guide.products],
    },
    mayChange: may(role, "catalogue"),
  };
}

export const action = changes(SIZE_GUIDE_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/** A size guide: what it is for, and its table. */
export default function SizeGuide() {
  useFresh();
  const { name, facts, mayChange } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  return (
    <Page title={name} back={{ to: "/size-guides", title: "Size guides" }}>
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {refused && "problem" in refused && !refused.isStale && <Notice kind="error">{refused.problem}</Notice>}
      {refused && "problems" in refused && <Notice kind="error">Check the marked fields. Nothing was saved.</Notice>}
      {mayChange ? <Change /> : <Shown {...facts} />}
    </Page>
  );
}

type ShownProps = { falls: string; measures: string[]; places: string[] };

/** A size guide for members who may only look. */
function Shown({ falls, measures, places }: ShownProps) {
  return (
    <div className="mt-6">
      <Facts>
        <dt>For</dt>
        <dd>{places.join(", ")}</dd>
        <dt>In cm</dt>
        <dd>
          {measures.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </dd>
        <dt>Falls</dt>
        <dd>{falls}</dd>
      </Facts>
    </div>
  );
}

/** The form of a size guide. Its fields keep what was typed after a save, since the reload of the data comes later. */
function Change() {
  const { name, version, values, collections, facts } = useLoaderData<typeof loader>();
  const form = useVersioned(version, useAnswer<typeof action>());
  const theirs = [`“${name}”`, ...facts.places, ...facts.measures, facts.falls].filter(Boolean).join("; ");
  return (
    <>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="version" value={form.seen} />
        <StaleNotice form={form} what="this size guide" theirs={theirs} />
        <SizeGuideFields values={form.typed ?? values} problems={form.problems} collections={collections} />
        <SaveButton isPending={form.isPending} className="mt-7" />
      </Form>
      <div className="mt-6">
        <Confirm
          title="Delete"
          question={`Delete “${name}”? Its products then have the guide of their collection or kind, or the shop’s own sizes.`}
          submit="Delete it"
          intent="delete"
        />
      </div>
    </>
  );
}
