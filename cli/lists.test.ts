import { expect, test } from "vitest";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const say = (...words: string[]) => command(database.db(), ["lists", ...words]);

test("'lists set' gives each model a card, and each colour again, and refuses anything else", async () => {
  expect(await say("show")).toMatchObject({ code: 0, data: { card: "color" } });
  expect(await say("set", "model")).toMatchObject({ code: 0, text: "Lists have a card for each model." });
  expect(await say("show")).toMatchObject({ code: 0, data: { card: "model" } });
  expect(await say("set", "size")).toMatchObject({ code: 2, text: "'size' is neither color nor model" });
  expect(await say("show")).toMatchObject({ data: { card: "model" } });
  expect(await say("set", "color")).toMatchObject({ code: 0, data: { card: "color" } });
});
