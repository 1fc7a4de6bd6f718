import { expect } from "vitest";
import { storableText } from "#app/infra/storable-text.ts";
import type { ParsedPage } from "./html.ts";

/** As it reads: line breaks and rows of spaces count as one space. */
export const plain = (text: string) =>
  storableText(text)
    .toWellFormed()
    .replaceAll(/[\s\u200b]+/g, " ")
    .trim();

/** Whether a text, an attribute or the data of a page has these words. */
export function says({ texts, urls, scripts }: ParsedPage, what: string): boolean {
  const inside = plain(what);
  return [...texts, ...urls, ...scripts.map(({ text }) => text)].some((text) => plain(text).includes(inside));
}

const SAFE = /^(?:https?|mailto|tel|data):$/;

/** Nothing is in the page but what it has where a harmless word stands in the same place, it leads to no script, and its own scripts are whole. */
export function expectText(page: ParsedPage, usual: ParsedPage, where: string): void {
  expect(
    [...page.shapes].filter((shape) => !usual.shapes.has(shape)),
    where,
  ).toEqual([]);
  expect(page.scripts.length, where).toBe(usual.scripts.length);
  const unsafe = page.urls.filter((url) => !SAFE.test(URL.parse(url.trim(), "https://shop.example")?.protocol ?? ""));
  expect(unsafe, where).toEqual([]);
  for (const { type, text } of page.scripts) expectWhole(type, text, where);
}

/** Data is JSON from its first character to its last. */
function expectWhole(type: string, text: string, where: string): void {
  const [, streamed] = /^window\.__reactRouterContext\.streamController\.enqueue\(([\s\S]*)\);$/.exec(text) ?? [];
  if (type === "application/ld+json") expect(() => JSON.parse(text), where).not.toThrow();
  else if (type === "application/json") expectStream(text, where);
  else if (streamed !== undefined) expectStream(JSON.parse(streamed), where);
}

/** What loaders have sent: a line of JSON, then lines of what came later, behind their number. */
function expectStream(text: string, where: string): void {
  for (const line of text.split("\n").filter(Boolean))
    expect(() => JSON.parse(line.replace(/^[PE]\d+:/, "")), where).not.toThrow();
}
