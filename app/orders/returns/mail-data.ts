import { z } from "zod";
import type { OrderLine } from "#db/types.ts";
import { mailNumbers, pictures, picturesOf } from "../mail-data.ts";
import { partTexts } from "../view.ts";
import { newPieceText, sentText } from "./exchange.ts";
import type { ReturnPiece, ReturnWish } from "./return.ts";

/** The steps that the shopper gets a mail about. A refund has its own mail. */
export const RETURN_STEPS = ["asked", "approved", "declined", "withdrawn", "received", "sent"] as const;
export type ReturnStep = (typeof RETURN_STEPS)[number];

/** The data of a mail about a return. It is stored when the mail is queued and parsed when it is sent. */
export const returnMailData = z.object({
  step: z.enum(RETURN_STEPS),
  isExchange: z.boolean(),
  numbers: mailNumbers,
  /** The number of the order; `returnNumber` is that of the return. */
  number: z.string(),
  returnNumber: z.string(),
  reference: z.string(),
  /** Empty in stored data: the buyer's name is added when the mail is sent (../reader/mails.server.ts). */
  firstName: z.string(),
  pieces: z.array(z.string()),
  pictures,
  sendBack: z.boolean(),
  /** What is sent in exchange, after "the"; absent in mails about another size, and in older ones. */
  sent: z.string().optional(),
  answer: z.string().optional(),
  carrier: z.string().optional(),
  tracking: z.string().nullish(),
  /** True if the recipient is not the verified address of the account that ordered: see ../reader/stranger.ts. */
  isWithheld: z.boolean().optional(),
  returnUrl: z.string(),
});
export type ReturnMail = z.infer<typeof returnMailData>;

type MailedReturn = {
  number: string;
  reference: string;
  wish: ReturnWish;
  sendBack: boolean;
  pieces: readonly ReturnPiece[];
  order: { number: string; lines: OrderLine[] };
};

export function returnMail(
  { number, reference, wish, sendBack, pieces, order }: MailedReturn,
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
    firstName: "",
    pieces: returnTexts(order.lines, pieces),
    pictures: picturesOf(order.lines, pieces, publicUrl),
    sendBack,
    ...(pieces.some(({ newProductId }) => newProductId) && { sent: sentText(pieces) }),
    ...said,
    returnUrl: new URL(`/order/${reference}/return`, publicUrl).href,
  };
}

/** The pieces of a return in words: "1 × Home Jersey, Green, M, for L", or "for Blue, M". */
export function returnTexts(lines: readonly OrderLine[], pieces: readonly ReturnPiece[]): string[] {
  return pieces.flatMap((piece) =>
    partTexts(lines, { pieces: [piece], withShipping: false }).map((text) =>
      piece.newSize ? `${text}, for ${newPieceText(piece)}` : text,
    ),
  );
}
