import { useContext } from "react";
import { data, Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { ruleText } from "#app/catalog/collections/collection.ts";
import { readFilters } from "#app/catalog/filter/filters.ts";
import { findCards } from "#app/catalog/search/search.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { searchProducts } from "#app/owner/catalog/product-list.server.ts";
import { type CollectionWish, showingAt } from "#app/owner/collections/collection.ts";
import { collectionChoices, productsIn, storedCollection } from "#app/owner/collections/collections.server.ts";
import { typedLastMinute, typedMoment } from "#app/owner/shop-time.server.ts";
import { may } from "#app/staff/roles.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import type { Kind } from "#db/types.ts";
import { COLLECTION_CHANGES } from "../collections/changes.server.ts";
import { NameFields } from "../collections/name-fields.tsx";
import { PictureField } from "../collections/picture-field.tsx";
import { ProductsInOrder, ProductsToAdd } from "../collections/products.tsx";
import { RuleFields, ruleValues } from "../collections/rule-fields.tsx";
import { SHOWING_TITLES } from "../collections/table.tsx";
import { StaleNotice } from "../conflict/notice.tsx";
import { useVersioned } from "../conflict/use-versioned.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink, SaveButton, SeeIt } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Field } from "../frame/field.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { Search } from "../frame/list-tools.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { ShopZone } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { listParams } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { useKinds } from "../kinds/context.ts";

/** The most products that a search offers to add. */
const MOST_FOUND = 20;

export async function loader({ params: { id = "" }, request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  const [collection, products, all] = await Promise.all([
    storedCollection(db(), id),
    productsIn(db(), id),
    collectionChoices(db()),
  ]);
  if (!collection) throw data(null, 404);
  const { rule } = collection;
  const showing = showingAt(collection, new Date());
  const inShop =
    rule && (await findCards(db(), readFilters(new URLSearchParams()), { after: 0, most: 1 }, { id, rule }));
  const { text } = listParams(new URL(request.url).searchParams);
  const mayChange = may(role, "catalogue");
  const maySell = may(role, "prices");
  const search = { view: "all", sort: text ? "shop" : "changed", text } as const;
  const found = mayChange ? (await searchProducts(db(), search, {}, MOST_FOUND + products.length)).rows : [];
  const others = found
    .filter((one) => !products.some(({ id }) => id === one.id))
    .slice(0, MOST_FOUND)
    .map(({ id, title, color, cover, hidden, publishAt, inStock }) => {
      return { id, title, color, cover, hidden, publishAt, inStock }; // without prices, which not every role may see
    });
  return {
    collection,
    products,
    others,
    collections: all.length,
    ruled: rule && { text: ruleText(rule, knownKinds()), total: inShop?.total ?? 0 },
    mayChange,
    maySell,
    showing,
    dates: {
      startsAt: collection.startsAt ? typedMoment(collection.startsAt) : "",
      endsAt: collection.endsAt ? typedLastMinute(collection.endsAt) : "",
    },
    page: showing !== "shown" ? undefined : new URL(collectionPath(id), env.publicUrl).href,
  };
}

export const action = changes(COLLECTION_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

/** A collection: its name and words, its place and whether the shop shows it, and its products. */
export default function Collection() {
  useFresh();
  const { collection, products, others, ruled, mayChange, maySell, showing, page } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const { name, words } = collection;
  return (
    <Page
      title={name}
      back={{ to: "/collections", title: "Collections" }}
      about={`${collectionPath(collection.id)} · ${SHOWING_TITLES[showing]}`}
      actions={page && <SeeIt href={page} />}
    >
      {done?.ok && done.intent === "save" && <Notice kind="done">{done.what}</Notice>}
      {done && !done.ok && "problem" in done && !done.isStale && <Notice kind="error">{done.problem}</Notice>}
      <div className="lg:grid lg:grid-cols-[24rem_minmax(0,1fr)] lg:gap-x-16">
        <div>{mayChange ? <Facts /> : words && <p className="mt-6 wrap-anywhere">{words}</p>}</div>
        <div>
          <Section
            title={plural(products.length, "product")}
            aside={
              <span role="status" className="text-muted">
                {done?.ok && done.intent !== "save" ? done.what : ""}
              </span>
            }
          >
            {products.length > 0 ? (
              <ProductsInOrder products={products} mayChange={mayChange} />
            ) : (
              <p className="text-muted">
                {ruled ? "None by hand." : "No products yet. The shop links to a collection once it has some."}
              </p>
            )}
            {ruled && (
              <p className="mt-3">
                {`By the rule: ${ruled.text}. The shop shows ${plural(ruled.total, "product")} in all.`}
              </p>
            )}
          </Section>
          {maySell && (products.length > 0 || ruled) && (
            <p className="mt-3">
              <ButtonLink look="line" to={`/products/prices?${new URLSearchParams({ collection: collection.id })}`}>
                Set sale prices for all of these
              </ButtonLink>
            </p>
          )}
          {mayChange && (
            <Section title="Add products" aside={<Search label="Title, colour or kind" />}>
              {others.length > 0 ? <ProductsToAdd products={others} /> : <p className="text-muted">No product fits.</p>}
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}

/**
 * The form of a collection's values other than its products. Its fields keep what was typed after a save, since the
 * reload of the data comes later.
 */
function Facts() {
  const { collection, collections, dates } = useLoaderData<typeof loader>();
  const zone = useContext(ShopZone);
  const kinds = useKinds();
  const done = useAnswer<typeof action>();
  const form = useVersioned(collection.version, done);
  const { problems, typed } = form;
  const moment = (name: "startsAt" | "endsAt", label: string, empty: string) => (
    <Field label={label} note={`${zone}; empty: ${empty}`} problem={problems[name]}>
      <input
        name={name}
        type="datetime-local"
        defaultValue={typed?.[name] ?? dates[name]}
        className="input tabular-nums"
      />
    </Field>
  );
  return (
    <Section title="Name and place">
      <Form method="post" preventScrollReset className="grid gap-4.5">
        <input type="hidden" name="intent" value="save" />
        <input type="hidden" name="version" value={form.seen} />
        <StaleNotice form={form} what="this collection" theirs={factsText(collection, dates, kinds)} />
        <NameFields values={typed ?? collection} problems={problems} />
        <PictureField key={form.seen} picture={collection.picture} typed={typed} problems={problems} />
        <details open={collection.rule !== null || Object.keys(problems).length > 0}>
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold lg:min-h-9">
            <ChevronIcon className="size-5 [details:not([open])_&]:-rotate-90" />
            And products by a rule
          </summary>
          <div className="mt-2 grid gap-4.5 border-l-2 border-hairline pl-4">
            <RuleFields values={typed ?? ruleValues(collection.rule)} problems={problems} />
          </div>
        </details>
        <Field label="Place among the collections" problem={problems.place}>
          <select name="place" defaultValue={typed?.place ?? collection.place} className="input" autoComplete="off">
            {Array.from({ length: collections }, (_, at) => at + 1).map((place) => (
              <option key={place}>{place}</option>
            ))}
          </select>
        </Field>
        <label className="tick">
          <input type="checkbox" name="shown" defaultChecked={typed ? "shown" in typed : !collection.hidden} />
          Show it in the shop
        </label>
        {moment("startsAt", "Show it from", "at once")}
        {moment("endsAt", "Show it until", "no end")}
        <div>
          <SaveButton isPending={form.isPending} />
        </div>
      </Form>
      <div className="mt-6">
        <Confirm
          title="Delete"
          question={`Delete “${collection.name}”? Its page goes. Its products stay in the shop.`}
          submit="Delete it"
          intent="delete"
        />
      </div>
    </Section>
  );
}

type Dates = { startsAt: string; endsAt: string };

function factsText(
  { name, words, rule, place, hidden, picture }: CollectionWish,
  { startsAt, endsAt }: Dates,
  kinds: Kind[],
): string {
  const told = [
    ...[`“${name}”`, words, rule && `rule: ${ruleText(rule, kinds)}`, `place ${place}`, hidden ? "hidden" : "shown"],
    picture && `picture: ${picture.alt}`,
    ...[startsAt && `from ${startsAt.replace("T", " ")}`, endsAt && `until ${endsAt.replace("T", " ")}`],
  ];
  return told.filter(Boolean).join(", ");
}
