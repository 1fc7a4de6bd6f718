import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { catalogWatch } from "#app/catalog/changes.server.ts";
import { collectionNames } from "#app/catalog/collections/collections.server.ts";
import { heroSlides, shownSlide } from "#app/catalog/home/hero.server.ts";
import { collectionOf, currentTarget, HERO_PLACES, SHIPPED_SLIDES } from "#app/catalog/home/hero.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { env } from "#app/infra/env.server.ts";
import { canonicalPath } from "#app/ui/frame/paths.ts";
import type { HeroSlide } from "#db/types.ts";
import { useDatabase } from "#tests/support/database.ts";
import { whitePicture } from "#tests/support/picture.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { changeHero, storedSlides, versionOf } from "./hero.server.ts";
import { type SlideWish, slides } from "./hero.ts";

const database = useDatabase();
const db = () => database.db();
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };
const by: Actor = { name: "bisi@example.com", door: "office" };

const slide: SlideWish = {
  id: "a",
  ground: "green",
  title: "Made\nin Lagos",
  text: "",
  alt: "A jersey",
  target: "",
  label: "",
  desktop: null,
  phone: null,
};
let hash: string;
beforeAll(async () => {
  ({ hash } = await whitePicture());
});
afterEach(() => db().deleteFrom("shopSettings").execute());

test("the shop's own are there until the owner has others; the page, the office and the command read the same", async () => {
  expect(await heroSlides(db())).toEqual(SHIPPED_SLIDES);
  expect(await storedSlides(db())).toEqual(SHIPPED_SLIDES);
  const focus = "30% 70%";
  await changeHero(db(), by, [{ ...slide, desktop: { hash, focus } }, ...SHIPPED_SLIDES.slice(0, 1)]);
  const desktop = { hash, width: 30, height: 20, background: "#ffffff", focus };
  const changed = [{ ...slide, desktop }, SHIPPED_SLIDES[0]];
  expect(await storedSlides(db())).toEqual(changed);
  expect(await heroSlides(db())).toEqual(changed);
  const [row] = await db().selectFrom("auditLog").selectAll().orderBy("id", "desc").limit(1).execute();
  expect(row).toMatchObject({ actor: by.name, action: "hero set", before: { slides: SHIPPED_SLIDES } });
  expect(row).toMatchObject({ subjectId: "hero", after: { slides: changed } });
});

test("kept pages are made anew for a change, and for none where there is none; the shop's own are stored as such", async () => {
  const hasChanged = catalogWatch();
  while (await hasChanged(db()));
  expect(await changeHero(db(), by, [slide])).toMatchObject({ ok: true, isNew: true });
  expect(await hasChanged(db())).toBe(true);
  expect(await changeHero(db(), by, [slide])).toMatchObject({ ok: true, isNew: false });
  await changeHero(db(), by, SHIPPED_SLIDES);
  expect(await db().selectFrom("shopSettings").select("hero").execute()).toEqual([{ hero: null }]);
});

test("of two who change them the later one is told, and nothing is lost; the same change of both is no conflict", async () => {
  const seen = versionOf(await storedSlides(db()));
  const first = await changeHero(db(), by, [slide], seen);
  expect(await changeHero(db(), by, [{ ...slide, title: "Other" }], seen)).toEqual({ ok: false, isStale: true });
  expect(await changeHero(db(), by, [slide], seen)).toMatchObject({ ok: true, isNew: false });
  const now = first.ok ? versionOf(first.slides) : "";
  expect(await changeHero(db(), by, [{ ...slide, title: "Other" }], now)).toMatchObject({ ok: true });
});

test.each<[string, unknown, string]>([
  ["none", [], "Keep at least one slide"],
  ["seven", Array.from({ length: 7 }, (_, at) => ({ ...slide, id: String(at) })), "At most 6 slides"],
  ["two of one id", [slide, slide], "Two slides have the same id"],
  ["no title", [{ ...slide, title: " \n " }], "Give it a title"],
  ["four lines", [{ ...slide, title: "a\nb\nc\nd" }], "At most 3 lines"],
  ["a long word", [{ ...slide, title: "Extraordinarily" }], "At most 12 letters in a word"],
  ["a long text", [{ ...slide, text: "a".repeat(81) }], "At most 80 letters"],
  ["a text of two lines", [{ ...slide, text: "a\nb" }], "in one line"],
  ["no words for the picture", [{ ...slide, alt: "" }], "Describe the picture"],
  ["another ground", [{ ...slide, ground: "white" }], "A ground is orange, green, brown"],
  [
    "a foreign target",
    [{ ...slide, target: "https://example.com" }],
    "A product as product:ID, a collection or kind as /collections/ID, or one of",
  ],
  ["a product that no database can have", [{ ...slide, target: "product:\0tee" }], "A product as product:ID"],
  ["a picture for phones alone", [{ ...slide, phone: { hash: "0".repeat(20) } }], "for wide windows, too"],
  ["a focus that is none", [{ ...slide, desktop: { hash: "0".repeat(20), focus: "url(x)" } }], "Invalid"],
])("%s is refused", (_, given, problem) => {
  const read = slides.safeParse(given);
  expect(read.error?.issues.map(({ message }) => message).join()).toContain(problem);
});

test("40 a title that the preview breaks into its lines is taken as it is shown there", () => {
  expect(slides.parse([{ ...slide, title: "Everything for everybody" }])).toMatchObject([
    { title: "Everything\nfor\neverybody" },
  ]);
});

test.each(Object.keys(HERO_PLACES))("34 %s, to which a slide may lead, is a page of the shop", (place) => {
  const { pathname } = new URL(place, "https://shop.example");
  expect(canonicalPath(pathname)).toBe(pathname);
});

test("34 a slide that was stored with the address that is none leads to the returns, and is saved with theirs", async () => {
  const stored = { ...slide, desktop: null, phone: null, target: "/return-policy" };
  await db()
    .insertInto("shopSettings")
    .values({ hero: JSON.stringify([stored]) })
    .execute();
  const [read] = await heroSlides(db());
  expect(read && shownSlide(read, new Map()).place).toEqual({ to: "/returnpolicy", title: "Returns" });
  expect(await storedSlides(db())).toMatchObject([{ target: "/returnpolicy" }]);
  expect(slides.parse([stored])).toMatchObject([{ target: "/returnpolicy" }]);
});

test("half of a pair of surrogates, which no database keeps, is taken out", () => {
  expect(slides.parse([{ ...slide, title: "Hello\ud800", text: "a\ud800" }])).toMatchObject([
    { title: "Hello", text: "a" },
  ]);
});

test.each<[string, Partial<SlideWish>, Record<string, string>]>([
  ["a product that is not there", { target: "product:none" }, { "0.target": "There’s no product none" }],
  [
    "a collection that is not there",
    { target: "/collections/none" },
    { "0.target": "There’s no collection or kind none" },
  ],
  [
    "a picture that is not there",
    { desktop: { hash: "0".repeat(20) } },
    { "0.desktop": expect.stringContaining("Add it again") },
  ],
])("%s is said beside its field", async (_, wish, problems) => {
  expect(await changeHero(db(), by, [{ ...slide, ...wish }])).toEqual({ ok: false, problems });
});

describe("on the page", () => {
  const shown = async (one: Partial<HeroSlide>) => {
    const id = one.target?.replace("product:", "") ?? "";
    const names = await collectionNames(db(), [collectionOf(currentTarget(one.target ?? "")) ?? ""]);
    return shownSlide({ ...slide, desktop: null, phone: null, ...one }, await getProducts(db(), [id]), names);
  };

  test("a product's link has its title and price, or the owner's words; a hidden product has none", async () => {
    const id = await makeProduct(db(), { M: 1 });
    const target = `product:${id}`;
    const { place } = await shown({ target });
    expect(place).toEqual({ to: `/singleProduct/${id}`, title: expect.any(String), priceCents: expect.any(Number) });
    expect((await shown({ target, label: "Look" })).place).toMatchObject({ title: "Look" });
    await db().updateTable("products").set({ hidden: true }).where("id", "=", id).execute();
    expect((await shown({ target })).place).toBeUndefined();
  });

  test.each([
    ["/shop?kind=tees", "", "Tees", "/collections/tees"],
    ["/collections/tees", "", "Tees", "/collections/tees"],
    ["/about", "Who we are", "Who we are", "/about"],
  ])("a link to %s that is called “%s” says %s", async (target, label, title, to) => {
    expect((await shown({ target, label })).place).toEqual({ to, title });
  });

  test("a collection's link has its name, or the owner's words; a hidden collection has none", async () => {
    const id = "owambe";
    const target = `/collections/${id}`;
    await db().insertInto("collections").values({ id, name: "Owambe", hidden: false, position: 1 }).execute();
    expect(await changeHero(db(), by, [{ ...slide, target }])).toMatchObject({ ok: true });
    expect((await shown({ target })).place).toEqual({ to: target, title: "Owambe" });
    expect((await shown({ target, label: "Dress up" })).place).toEqual({ to: target, title: "Dress up" });
    await db().updateTable("collections").set({ hidden: true }).execute();
    expect((await shown({ target })).place).toBeUndefined();
  });

  test("without a target there is no link", async () => {
    expect((await shown({ target: "", label: "Look" })).place).toBeUndefined();
  });

  test("an owner's picture is chosen by the window, and keeps the focus point of each", async () => {
    const own = (name: string, focus: string) => ({
      hash: name.repeat(20),
      width: 900,
      height: 600,
      background: "#000",
      focus,
    });
    const { picture } = await shown({ desktop: own("a", "10% 20%"), phone: own("b", "30% 40%") });
    const [wide, small] = picture.crops;
    expect(wide).toMatchObject({ media: "(min-width: 768px) and (min-aspect-ratio: 6/5)", sizes: "max(50vw, 135vh)" });
    expect(wide?.srcSet).toContain("/images/aaaaaaaaaaaaaaaaaaaa/1200.avif 1200w");
    expect(small?.media).toBe(`not all and ${wide?.media}`);
    expect(small?.srcSet).toContain("/images/bbbbbbbbbbbbbbbbbbbb/1200.avif 1200w");
    expect(picture.img.style).toEqual({ "--focus": "30% 40%", "--focus-beside": "10% 20%" });
  });
});
