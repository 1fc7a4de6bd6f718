import { expect } from "vitest";
import { storableText } from "#app/infra/text/storable-text.ts";
import type { ParsedPage } from "./html.ts";

/** A text as a reader sees it: line breaks and runs of spaces count as one space. */
export const plain = (text: string) =>
  storableText(text)
    .toWellFormed()
    .replaceAll(/[\s\u200b]+/g, " ")
    .trim();

/** Whether a text, an attribute or the data of a page contains these words. */
export function says({ texts, urls, scripts }: ParsedPage, what: string): boolean {
  const inside = plain(what);
  return [...texts, ...urls, ...scripts.map(({ text }) => text)].some((text) => plain(text).includes(inside));
}

const SAFE = /^(?:https?|mailto|tel|data):$/;

/**
 * Expects a page to contain only what it has with a harmless word in the same place, to lead to no script, and to keep
 * its own scripts intact.
 */
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

/** Expects data to be JSON from its first character to its last. */
function expectWhole(type: string, text: string, where: string): void {
  const [, streamed] = /^window\.__reactRouterContext\.streamController\.enqueue\(([\s\S]*)\);$/.exec(text) ?? [];
  if (type === "application/ld+json") expect(() => JSON.parse(text), where).not.toThrow();
  else if (type === "application/json") expectStream(text, where);
  else if (streamed !== undefined) expectStream(JSON.parse(streamed), where);
}

/** Expects a whole stream of loaders' data: a line of JSON, then lines of later data, each after its number. */
function expectStream(text: string, where: string): void {
  for (const line of text.split("\n").filter(Boolean))
    expect(() => JSON.parse(line.replace(/^[PE]\d+:/, "")), where).not.toThrow();
}
