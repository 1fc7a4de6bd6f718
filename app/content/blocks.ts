import { z } from "zod";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import type { TextBlock } from "#db/types.ts";
import { inNumbers } from "./in-numbers.ts";
import { TEXT_MAX } from "./notation.ts";
import { hasNumbers } from "./pages.ts";

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
 * A stored text as it is shown. `name`: that of its page or email. Texts are stored with the default numbers, so that
 * each version shows the owner's current `numbers`; undefined if the owner has set none.
 */
export function shownBlocks(name: string, stored: TextBlock[], numbers: Numbers | undefined): TextBlock[] {
  return renumbered(name, stored, numbers, SHIPPED_NUMBERS);
}

/** The stored form of a text that was typed with the owner's `numbers`. */
export function storedBlocks(name: string, typed: TextBlock[], numbers: Numbers | undefined): TextBlock[] {
  return numbers ? renumbered(name, typed, SHIPPED_NUMBERS, numbers) : typed;
}

/** A stored subject of an email as it is shown. */
export function shownSubject(stored: string, numbers: Numbers | undefined): string {
  return inNumbers(stored, numbers);
}

/** The stored form of a subject that was typed with the owner's `numbers`. */
export function storedSubject(typed: string, numbers: Numbers | undefined): string {
  return numbers ? inNumbers(typed, SHIPPED_NUMBERS, numbers) : typed;
}

function renumbered(name: string, blocks: TextBlock[], to: Numbers | undefined, from: Numbers): TextBlock[] {
  if (!to || !hasNumbers(name)) return blocks;
  return blocks.map((block) =>
    block.kind === "list"
      ? { ...block, items: block.items.map((item) => inNumbers(item, to, from)) }
      : { ...block, text: inNumbers(block.text, to, from) },
  );
}

/** The lines of a block: its text, or those of its items. */
export function linesOf(block: TextBlock): string[] {
  return block.kind === "list" ? block.items : [block.text];
}
