import { expect, test } from "vitest";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();

test.each([
  ["lists", "card", "color", "Lists have a card for each colour.", "model", "Lists have a card for each model."],
  [
    "cash-rounding",
    "rounding",
    "down",
    "Sums in cash are rounded down to ₦50.",
    "none",
    "Sums in cash aren't rounded.",
  ],
  [
    "payer-links",
    "othersPay",
    "no",
    "Shoppers pay themselves.",
    "yes",
    "Shoppers can make a link by which somebody else pays.",
  ],
])(
  "'%s set' chooses, and chooses again, and refuses anything else",
  async (name, key, usual, usualText, other, otherText) => {
    const say = (...words: string[]) => command(database.db(), [name, ...words]);
    expect(await say("show")).toMatchObject({ code: 0, data: { [key]: usual }, text: usualText });
    expect(await say("set", other)).toMatchObject({ code: 0, text: otherText });
    expect(await say("show")).toMatchObject({ code: 0, data: { [key]: other } });
    expect(await say("set", "size")).toMatchObject({ code: 2, text: `'size' is neither ${usual} nor ${other}` });
    expect(await say("show")).toMatchObject({ data: { [key]: other } });
    expect(await say("set", usual)).toMatchObject({ code: 0, data: { [key]: usual } });
  },
);
