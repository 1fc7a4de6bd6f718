import { countUnits, piecesText } from "#app/cart/cart.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { printable } from "#app/infra/text/terminal-text.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { readExchange } from "#app/orders/returns/exchange.ts";
import { RETURN_STATES } from "#app/orders/returns/state.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { showReturn } from "#app/owner/returns/list.server.ts";
import { proposeReturnRefund, refundReturn } from "#app/owner/returns/refund.server.ts";
import {
  approveReturn,
  declineReturn,
  type NewSize,
  receiveReturn,
  sendExchange,
} from "#app/owner/returns/returns.server.ts";
import { listReturns } from "#app/owner/returns/search.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Result } from "./command.ts";
import { readNaira, readPiece } from "./orders/refund.ts";
import { parcelLabel } from "./orders/words.ts";
import { spoken } from "./spoken.ts";

const MOST = 1000;

export const returns: Actions = {
  "returns list": action({
    words: ["[state]"],
    options: { overdue: true },
    says: `lists the newest returns and exchanges, all or in one state: ${RETURN_STATES.join(", ")}; --overdue: with a late refund`,
    changes: false,
    run: ({ db, words: { state }, options: { overdue } }) => list(db, state, overdue),
  }),
  "returns show": action({
    words: ["return"],
    says: "shows one return, by its number, with all its messages",
    changes: false,
    async run({ db, words }) {
      const number = numberOf(words.return);
      const found = await showReturn(db, number);
      if (!found) return badInput(`There’s no return ${number}`);
      return { code: 0, data: { return: found }, text: spoken(found) };
    },
  }),
  "returns approve": action({
    words: ["return"],
    options: { message: "TEXT", keep: true, money: true, size: ["ID:SIZE:NEW"] },
    says: [
      "approves a return, and reserves what an exchange sends. --keep: nothing has to be sent back; --money: refund instead of an exchange;",
      "      --size: this size in place of that one of a product, also instead of money; ID:SIZE:OTHER-ID:NEW: in another colour of the model at the",
      "      same normal price, which is a product of its own",
    ].join("\n"),
    changes: true,
    async run({ db, by, words, options: { message, keep: waive, money: forMoney, size = [] } }) {
      const number = numberOf(words.return);
      if (forMoney && size.length > 0) return badInput("Give either --money or --size");
      const answer = { message: textOf(message), waive, forMoney, newSizes: size.map(newSizeOf) };
      return resultOf(number, await approveReturn(db, number, { by, ...answer }));
    },
  }),
  "returns decline": action({
    words: ["return"],
    options: { message: "TEXT" },
    says: "declines a return, before or after its pieces arrive; the message is emailed to the shopper",
    changes: true,
    async run({ db, by, words, options: { message } }) {
      const number = numberOf(words.return);
      return resultOf(number, await declineReturn(db, number, { by, message: textOf(message) }));
    },
  }),
  "returns receive": action({
    words: ["return"],
    says: "marks its pieces as received; the refund is due from then on: 'numbers show' says within how many days",
    changes: true,
    async run({ db, by, words }) {
      const number = numberOf(words.return);
      return resultOf(number, await receiveReturn(db, number, { by }));
    },
  }),
  "returns refund": action({
    words: ["return"],
    options: {
      piece: ["ID:SIZE:N"],
      amount: "NAIRA",
      "with-shipping": true,
      "without-shipping": true,
      restock: true,
      keep: true,
    },
    says: [
      "refunds a return: the price of its pieces, or --amount; shows the sum and asks. --piece: only these, if not all arrived; the",
      "      others stay sold, and can be returned later. The delivery is refunded if the mistake was the shop's, or as you say.",
      "      --restock: the pieces are in stock again; --keep: nothing has to come back",
    ].join("\n"),
    changes: true,
    async run({ db, by, confirm, words, options }) {
      const number = numberOf(words.return);
      if (options["with-shipping"] && options["without-shipping"])
        return badInput("Give either --with-shipping or --without-shipping");
      const wish = {
        pieces: options.piece?.map(readPiece),
        kobo: options.amount === undefined ? undefined : readNaira(options.amount),
        withShipping: options["with-shipping"] ?? (options["without-shipping"] ? false : undefined),
        restock: options.restock,
        waive: options.keep,
      };
      const proposal = await proposeReturnRefund(db, number, wish);
      if (!proposal) return badInput(`There’s no return ${number}`);
      if (!proposal.ok) return badInput(proposal.problem);
      await confirm(proposal.question);
      return resultOf(number, await refundReturn(db, number, { by, agreedKobo: proposal.kobo, ...wish }));
    },
  }),
  "returns exchange": action({
    words: ["return"],
    options: { carrier: "NAME", tracking: "NUMBER", restock: true, keep: true },
    says: "marks what an exchange sends as sent; --restock: puts what came back into stock; --keep: nothing has to come back",
    changes: true,
    async run({ db, by, words, options: { carrier, tracking, restock, keep: waive } }) {
      const number = numberOf(words.return);
      const parcel = { carrier: parcelLabel(carrier), tracking: parcelLabel(tracking) };
      return resultOf(number, await sendExchange(db, number, { by, ...parcel, restock, waive }));
    },
  }),
};

function numberOf(word: string): string {
  const number = readReturnNumber(word);
  if (!number) throw new BadInput(`'${word}' isn't a return number, like RT-7K3M-2Q`);
  return number;
}

function newSizeOf(word: string): NewSize {
  const read = readExchange(word);
  if (!read)
    throw new BadInput(`'${word}' isn't a size to send. Write unity-home-jersey:M:L for an L in place of an M`);
  return read;
}

/** A message that shoppers will read, trimmed. Throws a BadInput if it is too long or has control characters. */
function textOf(text = ""): string {
  const message = text.trim();
  if (message.length > 1000 || printable(message) !== message)
    throw new BadInput("A message can have at most 1,000 characters");
  return message;
}

async function list(db: Db, word: string | undefined, overdue = false): Promise<Result> {
  const state = RETURN_STATES.find((one) => one === word);
  if (word !== undefined && !state) return badInput(`'${word}' isn't a return state: ${RETURN_STATES.join(", ")}`);
  const search = overdue ? ({ view: "overdue", sort: "oldest" } as const) : ({ view: "all" } as const);
  const all = await listReturns(db, { ...search, state }, MOST);
  const lines = all.map(({ number, orderNumber, state, wish, pieces, askedAt, dueBy, email }) =>
    [
      number,
      orderNumber,
      state,
      wish,
      piecesText(countUnits(pieces)),
      shopTime(askedAt),
      ...(dueBy ? [`due by ${dueBy}`] : []),
      email,
    ].join("  "),
  );
  return { code: 0, data: { returns: all }, text: [...lines, `${all.length} returns`].join("\n") };
}

function resultOf(number: string, done: Done): Result {
  if (!done.ok) return badInput(done.problem);
  return { code: 0, data: { return: number, done: done.what }, text: `${number}: ${done.what}` };
}
