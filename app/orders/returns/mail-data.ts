import { z } from "zod";
import type { OrderLine } from "#db/types.ts";
import { partTexts } from "../view.ts";
import type { ReturnPiece, ReturnWish } from "./return.ts";

/** What the shopper is written to about; of the money that goes back there is the refund's own mail. */
export const RETURN_STEPS = ["asked", "approved", "declined", "withdrawn", "received", "sent"] as const;
export type ReturnStep = (typeof RETURN_STEPS)[number];

/** What a mail about a return says: written out when it is queued, and parsed when it is sent. */
export const returnMailData = z.object({
  step: z.enum(RETURN_STEPS),
  isExchange: z.boolean(),
  /** Of the order, and of the return. */
  number: z.string(),
  returnNumber: z.string(),
  reference: z.string(),
  firstName: z.string(),
  pieces: z.array(z.string()),
  sendBack: z.boolean(),
  answer: z.string().optional(),
  carrier: z.string().optional(),
  tracking: z.string().optional(),
  returnUrl: z.string(),
});
export type ReturnMail = z.infer<typeof returnMailData>;

type Told = {
  number: string;
  reference: string;
  wish: ReturnWish;
  sendBack: boolean;
  pieces: readonly ReturnPiece[];
  order: { number: string; lines: OrderLine[]; shipping: { firstName: string } };
};

export function returnMail(
  { number, reference, wish, sendBack, pieces, order }: Told,
  step: ReturnStep,
  said: Pick<ReturnMail, "answer" | "carrier" | "tracking">,
  publicUrl: URL,
): ReturnMail {
  return {
    step,
    isExchange: wish === "exchange",
    number: order.number,
    returnNumber: number,
    reference,
    firstName: order.shipping.firstName,
    pieces: returnTexts(order.lines, pieces),
    sendBack,
    ...said,
    returnUrl: new URL(`/order/${reference}/return`, publicUrl).href,
  };
}

/** "1 × Home Jersey, Green, M, for L". */
export function returnTexts(lines: readonly OrderLine[], pieces: readonly ReturnPiece[]): string[] {
  return pieces.flatMap((piece) =>
    partTexts(lines, { pieces: [piece], withShipping: false }).map((text) =>
      piece.newSize ? `${text}, for ${piece.newSize}` : text,
    ),
  );
}
