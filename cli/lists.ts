import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import type { CardFor } from "#db/types.ts";
import { type Actions, action, badInput } from "./command.ts";

const TEXT = { color: "Lists have a card for each colour.", model: "Lists have a card for each model." };

export const lists: Actions = {
  "lists show": action({
    says: "shows whether lists of products have a card for each colour or for each model",
    changes: false,
    run: async ({ db }) => answer((await shopValues(db)).cardFor),
  }),
  "lists set": action({
    words: ["card"],
    says: "gives each colour or each model (CARD: color or model) a card in the shop, in collections and in the search",
    changes: true,
    async run({ db, by, words: { card } }) {
      if (card !== "color" && card !== "model") return badInput(`'${card}' is neither color nor model`);
      await changeShop(db, by, { cardFor: card }, await shopValues(db), "lists set");
      return answer(card);
    },
  }),
};

const answer = (card: CardFor) => ({ code: 0 as const, data: { card }, text: TEXT[card] });
