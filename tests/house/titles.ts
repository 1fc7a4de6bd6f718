import { parseSync } from "vite";

type Node = { type: string; [name: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const TESTS = new Set(["test", "it", "describe"]);

/** The titles in a test file: those of its tests, those around them, and the cases of tables. */
export function titlesIn(file: string, text: string): string[] {
  const program = parseSync(file, text).program as unknown as Node;
  const tables = new Map<unknown, Node>();
  const calls: Node[] = [];
  visit(program, (node) => {
    const { id, init } = node;
    if (node.type === "VariableDeclarator" && isNode(id) && isNode(init)) tables.set(id.name, init);
    if (node.type === "CallExpression" && TESTS.has(rootOf(node))) calls.push(node);
  });
  return calls.flatMap(({ callee, arguments: words }) => {
    const [first] = words as Node[];
    if (!first) return [];
    const isTable =
      isNode(callee) &&
      callee.type === "MemberExpression" &&
      isNode(callee.property) &&
      callee.property.name === "each";
    return isTable ? textsIn(first, tables) : textsOf(first);
  });
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const part of partsOf(node)) visit(part, see);
}

/** The identifier with which `test.each(…)(…)` begins. */
function rootOf({ type, callee, object, name }: Node): string {
  if (type === "CallExpression" && isNode(callee)) return rootOf(callee);
  if (type === "MemberExpression" && isNode(object)) return rootOf(object);
  return type === "Identifier" ? String(name) : "";
}

/** All texts of a table, also of a table made of others. Texts in functions are left out, since they are no titles. */
function textsIn(node: Node, tables: Map<unknown, Node>, seen = new Set<unknown>()): string[] {
  if (/Function/.test(node.type)) return [];
  const made = node.type === "Identifier" && !seen.has(node.name) ? tables.get(node.name) : undefined;
  if (made) seen.add(node.name);
  const parts = made ? [made] : partsOf(node);
  return [...textsOf(node), ...parts.flatMap((part) => textsIn(part, tables, seen))];
}

function textsOf({ type, value, quasis }: Node): string[] {
  if (type === "Literal" && typeof value === "string") return [value];
  if (type !== "TemplateLiteral") return [];
  return [(quasis as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked).join("")];
}
