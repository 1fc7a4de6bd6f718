import { plainText } from "#app/infra/text/typed-text.ts";

/**
 * Reads an order number as people say or type it: "ir 7k3m 2q", with O for 0, and I or L for 1. Undefined if the text
 * is no such number. Does not check whether the order exists.
 */
export function readOrderNumber(text: string): string | undefined {
  return readNumber("IR", text);
}

/** Reads the number of a return or exchange in the same way: "rt 7k3m 2q". */
export function readReturnNumber(text: string): string | undefined {
  return readNumber("RT", text);
}

function readNumber(prefix: "IR" | "RT", text: string): string | undefined {
  const [, said = "", letters = ""] =
    /^\s*([a-z]{2})[\s-]*([0-9a-z]{4}[\s-]*[0-9a-z]{2})\s*$/i.exec(plainText(text)) ?? [];
  const plain = letters.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  if (said.toUpperCase() !== prefix || !plain || plain.includes("U")) return;
  return `${prefix}-${plain.slice(0, 4)}-${plain.slice(4)}`;
}
