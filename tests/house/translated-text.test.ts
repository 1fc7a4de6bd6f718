import { type ESTree, parseSync, Visitor } from "vite";
import { expect, test } from "vitest";
import { shipped } from "./sources.ts";

// A browser that translates a page replaces texts by elements. React keeps references to the texts that it made:
// removing such a text, or inserting something before one, then fails, and the page breaks. A text in an element of its
// own is safe, since React moves the element.

/** Modules that are rendered only on the server. */
const WITHOUT_BROWSER = /\.server\.tsx$|mails?\.tsx$/;

type Child = ESTree.JSXChild;
type Kind = "text" | "element" | "list" | "changing-text" | "changing-element";

function kindsOf(child: Child): Kind[] {
  if (child.type === "JSXText") return child.value.trim() ? ["text"] : []; // white space is not translated
  if (child.type !== "JSXExpressionContainer") return ["element"];
  return kindsOfExpression(child.expression, false);
}

function kindsOfExpression(expression: ESTree.JSXExpression, changes: boolean): Kind[] {
  switch (expression.type) {
    case "Literal":
      return typeof expression.value === "string" && expression.value.trim()
        ? [changes ? "changing-text" : "text"]
        : [];
    case "TemplateLiteral":
      return [changes ? "changing-text" : "text"];
    case "JSXElement":
      return [changes ? "changing-element" : "element"];
    case "JSXFragment":
      return expression.children.flatMap(kindsOf).map((kind) => (changes ? changing(kind) : kind));
    case "ConditionalExpression":
      return [...kindsOfExpression(expression.consequent, true), ...kindsOfExpression(expression.alternate, true)];
    case "LogicalExpression":
      return kindsOfExpression(expression.right, true);
    case "ParenthesizedExpression":
      return kindsOfExpression(expression.expression, changes);
    case "CallExpression":
      return isMap(expression) ? ["list"] : [];
    default:
      return [];
  }
}

function changing(kind: Kind): Kind {
  return kind === "text" ? "changing-text" : "changing-element";
}

function isMap({ callee }: ESTree.CallExpression): boolean {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === "map";
}

/** Whether siblings can break: a text that may appear or disappear, or an element that may do so before a text. */
function breaks(children: Child[]): boolean {
  const kinds = children.map(kindsOf).filter((some) => some.length > 0);
  if (kinds.length < 2) return false;
  const isText = (some: Kind[]) => some.includes("text") || some.includes("changing-text");
  const moves = (some: Kind[]) => some.includes("changing-element") || some.includes("list");
  return kinds.some((some, at) => some.includes("changing-text") || (moves(some) && kinds.slice(at + 1).some(isText)));
}

function breakingLines({ file, text }: { file: string; text: string }): string[] {
  const found: number[] = [];
  const look = ({ children, start }: ESTree.JSXElement | ESTree.JSXFragment) => {
    if (breaks(children)) found.push(start);
  };
  /** Reports a fragment with texts that may appear or disappear, since no element around these texts goes with them. */
  const lookAt = (...places: (ESTree.Expression | ESTree.FunctionBody | null)[]) => {
    for (const place of places) {
      if (place?.type === "ParenthesizedExpression") lookAt(place.expression);
      if (place?.type === "JSXFragment" && place.children.flatMap(kindsOf).includes("text")) found.push(place.start);
    }
  };
  new Visitor({
    JSXElement: look,
    JSXFragment: look,
    ConditionalExpression: ({ consequent, alternate }) => lookAt(consequent, alternate),
    LogicalExpression: ({ right }) => lookAt(right),
    ReturnStatement: ({ argument }) => lookAt(argument),
    ArrowFunctionExpression: ({ body }) => lookAt(body),
  }).visit(parseSync(file, text).program);
  return [...new Set(found)].map((at) => `${file}:${text.slice(0, at).split("\n").length}`);
}

test("18 every text that can come or go beside something else is an element of its own", () => {
  const pages = shipped.filter(({ file }) => file.endsWith(".tsx") && !WITHOUT_BROWSER.test(file));
  expect(pages.flatMap(breakingLines)).toEqual([]);
});
