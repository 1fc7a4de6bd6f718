import { type DefaultTreeAdapterTypes as Nodes, parse } from "parse5";
import { createRequestHandler } from "react-router";
import { beforeAll } from "vitest";
import { buildOfApp } from "./router-build.ts";
import { OFFICE, officeRequest } from "./staff.ts";

/** A form as it would be sent: where to, what its buttons mean, and whether it has one. */
export type ShownForm = { method: string; action: string; intents: string[]; hasButton: boolean };
export type OfficePage = {
  status: number;
  location: string | null;
  text: string;
  links: string[];
  forms: ShownForm[];
  /** Inputs, each by its attributes. */
  fields: Record<string, string>[];
};

/** A page, or what the office answers to a form that is sent there. */
type Ask = (path: string, cookies: string[], form?: Record<string, string>) => Promise<OfficePage>;

/** The office's pages, made in this process, as a browser shows them before any script. */
export function useOfficePages(): Ask {
  let office: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    office = createRequestHandler(await buildOfApp("office"), "production");
  });
  return async (path, cookies, form) => {
    const { headers } = officeRequest(cookies);
    const sent = form && { method: "POST", body: new URLSearchParams(form) };
    const answer = await office(new Request(OFFICE + path, { headers, ...sent }));
    const page: OfficePage = {
      status: answer.status,
      location: answer.headers.get("location"),
      text: "",
      links: [],
      forms: [],
      fields: [],
    };
    const isPage = answer.headers.get("content-type")?.startsWith("text/html");
    if (isPage) read(parse(await answer.text()), page);
    else await answer.body?.cancel();
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

function read(node: Nodes.Node, page: OfficePage, form?: ShownForm): void {
  let around = form;
  if ("value" in node) page.text += node.value;
  if ("tagName" in node) {
    const { tagName, attrs } = node;
    if (["script", "style", "template"].includes(tagName)) return;
    if (BREAKS.includes(tagName)) page.text += " ";
    const of = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
    if (tagName === "a" && of.href) page.links.push(of.href);
    if (tagName === "input") page.fields.push(of);
    if (tagName === "form") {
      around = { method: of.method ?? "get", action: of.action ?? "", intents: [], hasButton: false };
      page.forms.push(around);
    }
    if (around && tagName === "button" && of.type !== "button") around.hasButton = true;
    if (of.name === "intent" && of.value) around?.intents.push(of.value);
  }
  if ("childNodes" in node) for (const child of node.childNodes) read(child, page, around);
}
