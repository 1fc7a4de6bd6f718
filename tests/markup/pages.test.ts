import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { PUBLIC_PATHS } from "#app/ui/frame/paths.ts";
import { type Page, useEveryPage } from "./every-page.ts";
import { complaintsAbout, hasJava } from "./nu.ts";
import { readPage } from "./reader.ts";

const pages = useEveryPage();

/** Each distinct fault once, after the name of the first page that has it. */
function found(wrongOf: (page: Page) => string[]): string[] {
  const where = new Map<string, string>();
  for (const page of pages()) for (const wrong of wrongOf(page)) if (!where.has(wrong)) where.set(wrong, page.name);
  return [...where].map(([wrong, name]) => `${name}: ${wrong}`);
}

test("53 no words of any page run together where only styles would part them", () => {
  expect(found(({ html }) => readPage(html).joined)).toEqual([]);
});

test("53 every link and button of every page has words of its own", () => {
  expect(found(({ html }) => readPage(html).nameless)).toEqual([]);
});

test("53 no page says that something is being loaded where only a script would load it", () => {
  expect(found(({ html }) => readPage(html).lines.filter((line) => line.startsWith("Loading")))).toEqual([]);
});

/** The lines of the smallest terminal, less those that a text browser uses itself. */
const FIRST_SCREEN = 20;

test("53 a page that refuses what was sent says why on its first screen, where it opens without script", () => {
  const refused = pages().filter(({ says }) => says);
  expect(refused.length).toBeGreaterThan(0);
  const late = refused.filter(
    ({ html, says = "" }) => !readPage(html).lines.slice(0, FIRST_SCREEN).join("\n").includes(says),
  );
  expect(late.map(({ name }) => name)).toEqual([]);
});

/** Of the variants of each page for different people, the longest. */
function longestOfEach(): Page[] {
  const longest = new Map<string, Page>();
  for (const page of pages()) {
    const door = page.name.split(" for ")[0] ?? "";
    if (page.html.length > (longest.get(door)?.html.length ?? 0)) longest.set(door, page);
  }
  return [...longest.values()];
}

/** Messages of the checker about markup that is right. */
const EXCUSED: { message: RegExp; why: string }[] = [
  { message: /^Trailing slash on void elements has no effect/, why: "React writes them so" },
  {
    message: /^Attribute “precedence” not allowed|^A “link” element must have an “href”/,
    why: "no build, so no style sheet",
  },
];

test.skipIf(!hasJava)(
  "59 the Nu HTML checker finds nothing in any page (where Java is installed: default-jre-headless)",
  async () => {
    const complaints = (await complaintsAbout(longestOfEach())).filter(
      ({ message }) => !EXCUSED.some(({ message: known }) => known.test(message)),
    );
    expect(complaints).toEqual([]);
  },
);

test("59 each page of the shop is one that everybody shares, or says that it is not to be found", () => {
  const isClosed = (html: string) => html.includes('<meta name="robots" content="noindex"/>');
  const open = pages().filter(({ name, html }) => name.startsWith("shop ") && !isClosed(html));
  const paths = new Set(open.map(({ name }) => name.split(" ")[1] ?? ""));
  expect([...paths].sort()).toEqual([...PUBLIC_PATHS, "/collections/:id", "/singleProduct/:id"].sort());
});
