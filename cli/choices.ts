import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import type { ShopValues } from "#app/owner/shop/settings.ts";
import { type Action, type Actions, action, badInput } from "./command.ts";

type Choices = Pick<ShopValues, "cardFor" | "cashRounding" | "othersPay">;
/** A value of the shop that is one of a few. `key`: its name with --json. `texts`: what is said of each. */
type Choice<K extends keyof Choices> = {
  value: K;
  key: string;
  shows: string;
  sets: string;
  texts: Record<Choices[K], string>;
};

/** The commands `… show` and `… set` of a choice. */
function commandsOf<K extends keyof Choices>(name: string, { value, key, shows, sets, texts }: Choice<K>) {
  const isOption = (word: string): word is Choices[K] => Object.hasOwn(texts, word);
  const options = Object.keys(texts);
  const answer = (chosen: Choices[K]) => ({ code: 0 as const, data: { [key]: chosen }, text: texts[chosen] });
  const show = action({
    says: shows,
    changes: false,
    run: async ({ db }) => answer((await shopValues(db))[value]),
  });
  const set = action({
    words: ["choice"],
    says: `${sets}; CHOICE: ${options.join(" or ")}`,
    changes: true,
    async run({ db, by, words: { choice } }) {
      if (!isOption(choice)) return badInput(`'${choice}' is neither ${options.join(" nor ")}`);
      await changeShop(db, by, { [value]: choice }, await shopValues(db), `${name} set`);
      return answer(choice);
    },
  });
  return { [`${name} show`]: show, [`${name} set`]: set } satisfies Record<string, Action>;
}

export const choices: Actions = {
  ...commandsOf("lists", {
    value: "cardFor",
    key: "card",
    shows: "shows whether lists of products have a card for each colour or for each model",
    sets: "gives each colour or each model a card in the shop, in collections and in the search",
    texts: { color: "Lists have a card for each colour.", model: "Lists have a card for each model." },
  }),
  ...commandsOf("cash-rounding", {
    value: "cashRounding",
    key: "rounding",
    shows: "shows whether staff round sums in cash down to ₦50",
    sets: "rounds the sums that staff take in cash down to ₦50, or doesn't",
    texts: { down: "Sums in cash are rounded down to ₦50.", none: "Sums in cash aren't rounded." },
  }),
  ...commandsOf("payer-links", {
    value: "othersPay",
    key: "othersPay",
    shows: "shows whether shoppers can let somebody else pay",
    sets: "lets shoppers make a link at the checkout by which somebody else pays, or doesn't",
    texts: { no: "Shoppers pay themselves.", yes: "Shoppers can make a link by which somebody else pays." },
  }),
};
