import { z } from "zod";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import type { TextBlock } from "#db/types.ts";
import { inNumbers } from "./in-numbers.ts";
import { TEXT_MAX } from "./notation.ts";
import { TEXT_PAGES, type TextPage } from "./pages.ts";

const line = z.string().min(1).max(TEXT_MAX);
const blocks = z
  .array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.enum(["heading", "paragraph"]), text: line }),
      z.object({ kind: z.literal("list"), items: z.array(line).min(1) }),
    ]),
  )
  .min(1);

/** The blocks of a stored text. Undefined if it is damaged. */
export function readBlocks(stored: unknown): TextBlock[] | undefined {
  return blocks.safeParse(stored).data;
}

/**
 * The text of a page as it is shown. Texts are stored with the numbers that the shop comes with, so that each version
 * follows the owner's `numbers`; undefined if these are the same.
 */
export function shownBlocks(page: TextPage, stored: TextBlock[], numbers: Numbers | undefined): TextBlock[] {
  return renumbered(page, stored, numbers, SHIPPED_NUMBERS);
}

/** The text of a page as it is stored, of one that was typed with the owner's `numbers`. */
export function storedBlocks(page: TextPage, typed: TextBlock[], numbers: Numbers | undefined): TextBlock[] {
  return numbers ? renumbered(page, typed, SHIPPED_NUMBERS, numbers) : typed;
}

function renumbered(page: TextPage, blocks: TextBlock[], to: Numbers | undefined, from: Numbers): TextBlock[] {
  if (!to || !TEXT_PAGES[page].hasNumbers) return blocks;
  return blocks.map((block) =>
    block.kind === "list"
      ? { ...block, items: block.items.map((item) => inNumbers(item, to, from)) }
      : { ...block, text: inNumbers(block.text, to, from) },
  );
}

/** The texts of a block: its own, or those of its items. */
export function linesOf(block: TextBlock): string[] {
  return block.kind === "list" ? block.items : [block.text];
}
