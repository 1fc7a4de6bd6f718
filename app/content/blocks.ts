import { z } from "zod";
import type { TextBlock } from "#db/types.ts";
import { TEXT_MAX } from "./notation.ts";

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

/** The texts of a block: its own, or those of its items. */
export function linesOf(block: TextBlock): string[] {
  return block.kind === "list" ? block.items : [block.text];
}
