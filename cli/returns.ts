import { countUnits } from "#app/cart/cart.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { printable } from "#app/infra/terminal-text.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { RETURN_STATES } from "#app/orders/returns/state.ts";
import type { Done } from "#app/owner/orders.server.ts";
import { listReturns, overdueReturns, showReturn } from "#app/owner/returns/list.server.ts";
import { proposeReturnRefund, refundReturn } from "#app/owner/returns/refund.server.ts";
import {
  approveReturn,
  declineReturn,
  type NewSize,
  receiveReturn,
  sendExchange,
} from "#app/owner/returns/returns.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Result } from "./command.ts";
import { readNaira, readPiece } from "./orders/refund.ts";
import { parcelLabel } from "./orders/words.ts";

const MOST = 1000;

export const returns: Actions = {
  "returns list": action({
    words: ["[state]"],
    options: { overdue: true },
    says: `the newest returns and exchanges, all or of one state: ${RETURN_STATES.join(", ")}; --overdue: whose money is late`,
    changes: false,
    run: ({ db, words: { state }, options: { overdue } }) => list(db, state, overdue),
  }),
  "returns show": action({
    words: ["return"],
    says: "one return, by its number, with all that was said of it",
    changes: false,
    async run({ db, words }) {
      const number = numberOf(words.return);
      const found = await showReturn(db, number);
      if (!found) return badInput(`There is no return ${number}`);
      return { code: 0, data: { return: found }, text: JSON.stringify(found, null, 2) };
    },
  }),
  "returns approve": action({
    words: ["return"],
    options: { message: "TEXT", keep: true, money: true, size: ["ID:SIZE:NEW"] },
    says: [
      "says yes; of an exchange the other size is held. --keep: nothing has to be sent back; --money: money instead of the other size;",
      "      --size: this size in place of that one of a product, also instead of money",
    ].join("\n"),
    changes: true,
    async run({ db, by, words, options: { message, keep: waive, money: forMoney, size = [] } }) {
      const number = numberOf(words.return);
      if (forMoney && size.length > 0) return badInput("Say either --money or --size");
      const said = { message: textOf(message), waive, forMoney, newSizes: size.map(newSizeOf) };
      return resultOf(number, await approveReturn(db, number, { by, ...said }));
    },
  }),
  "returns decline": action({
    words: ["return"],
    options: { message: "TEXT" },
    says: "says no, before or after the pieces have come; the message is written to the shopper",
    changes: true,
    async run({ db, by, words, options: { message } }) {
      const number = numberOf(words.return);
      return resultOf(number, await declineReturn(db, number, { by, message: textOf(message) }));
    },
  }),
  "returns receive": action({
    words: ["return"],
    says: "its pieces are back: their money is due within 7 business days",
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
      "gives its money back: what the pieces come to, or --amount; shows the sum and asks. --piece: for these alone, where not all came: the",
      "      others stay bought, and can be asked for again. The original shipping goes back where the shop made the mistake, unless it is said.",
      "      --restock: the pieces are in stock again; --keep: nothing has to come back",
    ].join("\n"),
    changes: true,
    async run({ db, by, confirm, words, options }) {
      const number = numberOf(words.return);
      if (options["with-shipping"] && options["without-shipping"]) return badInput("The shipping is said both ways");
      const wish = {
        pieces: options.piece?.map(readPiece),
        kobo: options.amount === undefined ? undefined : readNaira(options.amount),
        withShipping: options["with-shipping"] ?? (options["without-shipping"] ? false : undefined),
        restock: options.restock,
        waive: options.keep,
      };
      const proposal = await proposeReturnRefund(db, number, wish);
      if (!proposal) return badInput(`There is no return ${number}`);
      if (!proposal.ok) return badInput(proposal.problem);
      await confirm(proposal.question);
      return resultOf(number, await refundReturn(db, number, { by, agreedKobo: proposal.kobo, ...wish }));
    },
  }),
  "returns exchange": action({
    words: ["return"],
    options: { carrier: "NAME", tracking: "NUMBER", restock: true, keep: true },
    says: "the other size has left; --restock: what came back is in stock again; --keep: nothing has to come back",
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
  if (!number) throw new BadInput(`'${word}' is no number of a return, such as RT-7K3M-2Q`);
  return number;
}

function newSizeOf(word: string): NewSize {
  const [, productId, size, newSize] = /^([^:]+):([^:]+):([^:]+)$/.exec(word) ?? [];
  if (!productId || !size || !newSize)
    throw new BadInput(`'${word}' is no size to send, such as unity-home-jersey:M:L for an L in place of an M`);
  return { productId, size, newSize };
}

/** What shoppers will read, as it was typed. */
function textOf(text = ""): string {
  const said = text.trim();
  if (said.length > 1000 || printable(said) !== said) throw new BadInput("A message has at most 1000 letters");
  return said;
}

async function list(db: Db, word: string | undefined, overdue = false): Promise<Result> {
  const state = RETURN_STATES.find((one) => one === word);
  if (word !== undefined && !state) return badInput(`'${word}' is no state of a return: ${RETURN_STATES.join(", ")}`);
  const found = overdue ? await overdueReturns(db) : await listReturns(db, { state }, { limit: MOST });
  const all = state ? found.filter((one) => one.state === state) : found;
  const lines = all.map(({ number, orderNumber, state, wish, pieces, askedAt, dueBy, email }) =>
    [
      number,
      orderNumber,
      state,
      wish,
      `${countUnits(pieces)} pieces`,
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
