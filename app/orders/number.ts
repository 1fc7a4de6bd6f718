/**
 * The number of an order as somebody may say or type it: "ir 7k3m 2q", with O for 0, and I or L for 1. Undefined where it is none; whether there is such an
 * order is another question.
 */
export function readOrderNumber(text: string): string | undefined {
  return readNumber("IR", text);
}

/** The same of a return or an exchange: "rt 7k3m 2q". */
export function readReturnNumber(text: string): string | undefined {
  return readNumber("RT", text);
}

function readNumber(prefix: "IR" | "RT", text: string): string | undefined {
  const [, said = "", letters = ""] = /^\s*([a-z]{2})[\s-]*([0-9a-z]{4}[\s-]*[0-9a-z]{2})\s*$/i.exec(text) ?? [];
  const plain = letters.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  if (said.toUpperCase() !== prefix || !plain || plain.includes("U")) return;
  return `${prefix}-${plain.slice(0, 4)}-${plain.slice(4)}`;
}
