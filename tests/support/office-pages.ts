import { type DefaultTreeAdapterTypes as Nodes, parse } from "parse5";
import { createRequestHandler } from "react-router";
import { beforeAll } from "vitest";
import { buildOfApp } from "./router-build.ts";
import { OFFICE, officeRequest } from "./staff.ts";

/**
 * A form as it would be sent: its method and address, the intents of its buttons, whether it has a button, and whether
 * all of its buttons are folded away below a question.
 */
export type ShownForm = { method: string; action: string; intents: string[]; hasButton: boolean; isFolded: boolean };
export type OfficePage = {
  status: number;
  location: string | null;
  text: string;
  /** The body as it was sent, with the data for the scripts. */
  raw: string;
  bytes: Buffer;
  links: string[];
  forms: ShownForm[];
  /** The attributes of each input. */
  fields: Record<string, string>[];
  /** The addresses and intents of the page's black buttons. */
  solid: string[];
};

/** Requests a page of the office, or sends a form to its address. Resolves to the page of the answer. */
type Ask = (path: string, cookies: string[], form?: Record<string, string> | FormData) => Promise<OfficePage>;

/** The office's pages as a browser shows them before any script runs. This process renders them. */
export function useOfficePages(): Ask {
  let office: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    office = createRequestHandler(await buildOfApp("office"), "production");
  });
  return async (path, cookies, form) => {
    const { headers } = officeRequest(cookies);
    const body = form instanceof FormData ? form : new URLSearchParams(form);
    const sent = form && { method: "POST", body };
    const answer = await office(new Request(OFFICE + path, { headers, ...sent }));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const page: OfficePage = {
      status: answer.status,
      location: answer.headers.get("location"),
      text: "",
      raw: new TextDecoder().decode(bytes),
      bytes,
      links: [],
      forms: [],
      fields: [],
      solid: [],
    };
    const isPage = answer.headers.get("content-type")?.startsWith("text/html");
    if (isPage) read(parse(page.raw), page);
    page.text = page.text.replaceAll(/\s+/g, " ");
    return page;
  };
}

const BREAKS = [
  "p",
  "li",
  "td",
  "th",
  "h1",
  "h2",
  "h3",
  "article",
  "section",
  "strong",
  "span",
  "a",
  "option",
  "button",
];

function read(node: Nodes.Node, page: OfficePage, form?: ShownForm, isFolded = false): void {
  let around = form;
  let folded = isFolded;
  if ("value" in node) page.text += node.value;
  if ("tagName" in node) {
    const { tagName, attrs } = node;
    if (["script", "style", "template"].includes(tagName)) return;
    if (BREAKS.includes(tagName)) page.text += " ";
    const of = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
    if (tagName === "a" && of.href) page.links.push(of.href);
    if (tagName === "input") page.fields.push(of);
    if (tagName === "form") {
      around = { method: of.method ?? "get", action: of.action ?? "", intents: [], hasButton: false, isFolded: true };
      page.forms.push(around);
    }
    if (around && tagName === "button" && of.type !== "button") {
      around.hasButton = true;
      around.isFolded &&= folded;
    }
    if (of.name === "intent" && of.value) around?.intents.push(of.value);
    if (tagName === "details") folded = true;
    if (of.class?.split(" ").includes("bg-ink") && !folded) page.solid.push(of.href ?? around?.intents.at(-1) ?? "");
  }
  if ("childNodes" in node) for (const child of node.childNodes) read(child, page, around, folded);
}
