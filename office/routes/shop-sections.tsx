import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { SHIPPED_NAMES, SHIPPED_SECTIONS, SHIPPED_TITLES } from "#app/catalog/home/own-sections.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { versionOf } from "#app/owner/shop/hero.server.ts";
import { previewSections } from "#app/owner/shop/preview.server.ts";
import { changeSections, storedSections } from "#app/owner/shop/sections.server.ts";
import { MOST_SECTIONS } from "#app/owner/shop/sections.ts";
import type { HomeSection } from "#db/types.ts";
import { useAnswer } from "../connection/answer.ts";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { sectionFields } from "../shop/fields.server.ts";
import { linkChoices, listOutcome, previewOutcome } from "../shop/list.server.ts";
import { ListScreen } from "../shop/list-screen.tsx";
import { SectionForm } from "../shop/section-form.browser.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "shop");
  const sections = await storedSections(db());
  const products = sections.flatMap((one) => (one.kind === "products" ? one.products : []));
  const collections = sections.flatMap((one) => (one.kind === "collection" ? one.collection : []));
  return {
    items: sections,
    version: versionOf(sections),
    shop: env.publicUrl.href,
    ...(await linkChoices(db(), products, collections)),
  };
}

export const action = changes({
  sections: change({
    needs: "shop",
    fields: sectionFields,
    run: async ({ by, fields: { sections, seen, press } }) => {
      if (press === "preview") return previewOutcome(await previewSections(db(), by, sections), "sections");
      const done = await changeSections(db(), by, sections, seen);
      return listOutcome(done, "sections", done.ok ? done.sections : []);
    },
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function ShopSections() {
  useFresh();
  const known = useLoaderData<typeof loader>();
  const { products, collections } = known;
  const titleOf = (section: HomeSection) => {
    if (section.kind === "shipped") return SHIPPED_TITLES[section.name];
    if (section.kind !== "collection" || section.title !== "") return section.title;
    return collections.find(({ id }) => id === section.collection)?.name ?? "";
  };
  return (
    <ListScreen<HomeSection>
      title="Home page sections"
      about="What is below the slides. The shop shows it as soon as you save"
      one="section"
      many="sections"
      intent="sections"
      storage="irepo-office-sections"
      known={known}
      done={useAnswer<typeof action>()}
      most={MOST_SECTIONS}
      titleOf={titleOf}
      fields={(section, problems, onChange) => (
        <SectionForm
          section={section}
          products={products}
          collections={collections}
          problems={problems}
          onChange={onChange}
        />
      )}
      adds={addable}
      shipped={{ label: "Reset to the first five", items: SHIPPED_SECTIONS }}
    />
  );
}

const WORDS = { title: "", text: "" };
const LINK = { label: "", to: "" };

/** The sections that can be added, each with its button's text. Those that come with the shop can be there once. */
function addable(sections: HomeSection[]): [label: string, make: () => HomeSection][] {
  const names = sections.flatMap((one) => (one.kind === "shipped" ? one.name : []));
  const missing = SHIPPED_NAMES.filter((name) => !names.includes(name));
  return [
    ["Add new arrivals", () => ({ id: newId(), kind: "arrivals", title: "", most: 4 })],
    ["Add a collection", () => ({ id: newId(), kind: "collection", title: "", collection: "", most: 4 })],
    ["Add chosen products", () => ({ id: newId(), kind: "products", title: "", products: [""] })],
    ["Add a wide picture", () => ({ id: newId(), kind: "picture", ...WORDS, ...LINK, alt: "", picture: null })],
    ["Add a slogan", () => ({ id: newId(), kind: "slogan", ...WORDS, ...LINK })],
    ...missing.map((name): [string, () => HomeSection] => [
      `Add “${SHIPPED_TITLES[name]}”`,
      () => ({ id: newId(), kind: "shipped", name }),
    ]),
  ];
}

const newId = () => crypto.randomUUID().slice(0, 8);
