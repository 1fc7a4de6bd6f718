import { data, redirect } from "react-router";
import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { listCards } from "#app/catalog/catalog.server.ts";
import { getCollection } from "#app/catalog/collections/collections.server.ts";
import { CollectionLead } from "#app/catalog/collections/lead.tsx";
import { listOfProducts } from "#app/catalog/filter/list.server.ts";
import { ProductList } from "#app/catalog/filter/list.tsx";
import { Breadcrumbs } from "#app/catalog/json-ld.tsx";
import { shownOfList, versionOf } from "#app/catalog/link-pictures/shown.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { NotHere } from "#app/catalog/search/not-here.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import { brandIn, linkPicture, pageMeta } from "#app/ui/frame/page-meta.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { Route } from "./+types/collection";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData?.collection) return pageMeta(matches, { title: messages.collection.notFound, hidden: true });
  const brand = brandIn(matches);
  const { id, name, words, isKind } = loaderData.collection;
  const about = isKind
    ? `${name} by ${brand.name}, with prices in dollars and naira.`
    : words || `${name}: a collection by ${brand.name}.`;
  const image = linkPicture(matches[1].loaderData?.site, `collections/${id}`, loaderData.link, name);
  return pageMeta(matches, { title: name, description: about, image });
};

const OTHERS = 4;

export async function loader({ params: { id }, request }: Route.LoaderArgs) {
  const lower = id.toLowerCase();
  const collection = await getCollection(db(), lower);
  if (!collection) {
    const [others, { rate }] = await Promise.all([listCards(db(), {}, OTHERS), rateInForce(db())]);
    return data({ collection: undefined, others, rate }, { status: 404 });
  }
  if (id !== lower) throw redirect(collectionPath(lower) + new URL(request.url).search, 301);
  const { rule, kind, ...shown } = collection;
  const [list, { brand = SHIPPED_BRAND }] = await Promise.all([
    listOfProducts(request, collection),
    shopSettings(db()),
  ]);
  return data({
    collection: { ...shown, ...(kind && { isKind: true }) },
    list,
    link: versionOf(shownOfList(shown.name, list.products, brand)),
  });
}

/** The page of a collection or a kind: its name and words, and the list of its products with the shop's filters. */
export default function CollectionPage({ loaderData, matches }: Route.ComponentProps) {
  if (!loaderData.collection)
    return (
      <NotHere
        title={messages.collection.notFound}
        text={messages.collection.ended}
        products={loaderData.others}
        rate={loaderData.rate}
      />
    );
  const { collection, list } = loaderData;
  const { id, name, words, picture, isKind } = collection;
  const title = (
    <div className="min-w-0">
      <h1 className="headline text-3xl text-balance wrap-anywhere sm:text-6xl">{name}</h1>
      {words && <p className="mt-1 max-w-[60ch] text-pretty sm:mt-3">{words}</p>}
    </div>
  );
  const path = collectionPath(id);
  const top =
    picture && list.start === 0 ? { lead: <CollectionLead picture={picture}>{title}</CollectionLead> } : { title };
  return (
    <>
      <ProductList key={id} path={path} {...top} isFeatured={!isKind} list={list} />
      <Breadcrumbs site={matches[1].loaderData.site} path={path} name={name} />
    </>
  );
}
