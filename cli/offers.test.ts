import { afterEach, describe, expect, test } from "vitest";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/shop.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), ["offers", ...words]);
afterEach(async () => {
  await db().deleteFrom("offerCodes").execute();
  await db().deleteFrom("offers").execute();
});

describe("offers add", () => {
  test.each<[string[], string]>([
    [["--percent", "10"], "10% off everything, not on sale prices"],
    [["--percent", "10", "--on-sale"], "10% off everything"],
    [
      ["--percent", "10", "--kinds", "tees", "--from-pieces", "2"],
      "10% off tees, for 2 or more of them, not on sale prices",
    ],
    [
      ["--off", "₦5,000", "--from-sum", "₦50,000"],
      "₦5,000 off everything, once an order, for at least ₦50,000 of them, not on sale prices",
    ],
    [["--off", "$10"], "$10.00 off everything, once an order, not on sale prices"],
    [["--buy", "2"], "of everything, buy 2 and get 1 free, not on sale prices"],
    [["--buy", "2", "--percent", "50"], "of everything, buy 2 and get 1 50% off, not on sale prices"],
    [["--free-delivery", "--from-sum", "100", "--on-sale"], "free delivery, for at least $100.00 of them"],
    [
      ["--percent", "15", "--code", "ONEMIND", "--once", "--first-order", "--on-sale"],
      "With a code: 15% off everything, on a first order, once for each customer",
    ],
    [
      ["--percent", "15", "--customers", "Ada@example.com,b@example.com", "--countries", "Ghana", "--on-sale"],
      "15% off everything, for 2 named customers, for orders to Ghana",
    ],
  ])("describes %j in one sentence", async (words, sentence) => {
    expect(await say("add", "Offer", ...words)).toMatchObject({ code: 0, data: { sentence, state: "running" } });
  });

  test.each<[string, string[]]>([
    ["nothing that it gives", []],
    ["91 percent", ["--percent", "91"]],
    ["no number", ["--percent", "ten"]],
    ["a sum in another currency", ["--off", "€10"]],
    ["an unknown kind", ["--percent", "10", "--kinds", "shoes"]],
    ["an unknown product", ["--percent", "10", "--products", "no-such"]],
    ["more given than bought", ["--buy", "1", "--get", "2"]],
    ["an end before the start", ["--percent", "10", "--starts", "2026-12-02T09:00", "--ends", "2026-12-01T09:00"]],
    ["no time", ["--percent", "10", "--ends", "tomorrow"]],
    ["no use", ["--percent", "10", "--uses", "0"]],
    ["a code without letters", ["--percent", "10", "--code", "- -"]],
  ])("refuses %s, and adds nothing", async (_, words) => {
    expect(await say("add", "Offer", ...words)).toMatchObject({ code: 2 });
    expect(await say("list")).toMatchObject({ data: [] });
  });

  test("refuses a code that is taken, however it is written", async () => {
    await say("add", "One", "--percent", "10", "--code", "ONE-IO");
    expect(await say("add", "Two", "--percent", "10", "--code", "one 10")).toMatchObject({ code: 2 });
  });

  test("takes collections, which the word none removes", async () => {
    const terms = ["add", "Offer", "--percent", "10", "--on-sale", "--collections", "owambe"];
    expect(await say(...terms)).toMatchObject({ code: 2, text: "There’s no collection 'owambe'" });
    await db().insertInto("collections").values({ id: "owambe", name: "Owambe", position: 1 }).execute();
    const made = await say(...terms);
    expect(made).toMatchObject({ code: 0, data: { sentence: "10% off everything in Owambe" } });
    expect(await command(db(), ["collections", "remove", "owambe", "--yes"])).toMatchObject({
      ...{ code: 2, text: "The offer “Offer” names it: change or end the offer first" },
    });
    expect(await say("show", idOf(made))).toMatchObject({ data: { terms: { collections: ["owambe"] } } });
    expect(await say("set", idOf(made), "--collections", "none")).toMatchObject({
      data: { sentence: "10% off everything" },
    });
    expect(await command(db(), ["collections", "remove", "owambe", "--yes"])).toMatchObject({ code: 0 });
  });

  test("takes products by their ids", async () => {
    const id = await makeProduct(db(), { M: 1 });
    expect(await say("add", "Offer", "--percent", "10", "--products", id)).toMatchObject({ code: 0 });
  });

  test("allows 12 offers at once; ended ones do not count", async () => {
    for (let count = 0; count < 12; count++) await say("add", `Offer ${count}`, "--percent", "10");
    expect(await say("add", "One more", "--percent", "10")).toMatchObject({ code: 2 });
    const { data } = await say("list");
    await say("end", String((data as { id: number }[])[0]?.id));
    expect(await say("add", "One more", "--percent", "10")).toMatchObject({ code: 0 });
  });
});

const idOf = (made: { data: unknown }) => String((made.data as { id: number }).id);

describe("an offer", () => {
  test("is paused, resumed and ended, and each is in the audit log", async () => {
    const id = idOf(await say("add", "Offer", "--percent", "10"));
    expect(await say("pause", id)).toMatchObject({ data: { state: "paused" } });
    expect(await say("resume", id)).toMatchObject({ data: { state: "running" } });
    expect(await say("end", id)).toMatchObject({ data: { state: "ended" } });
    expect(await say("resume", id)).toMatchObject({ code: 2 });
    const rows = await db().selectFrom("auditLog").select("action").where("subjectId", "=", id).execute();
    expect(rows.map(({ action }) => action)).toEqual(["offers add", "offers pause", "offers resume", "offers end"]);
  });

  test("is planned until it begins, and can be ended before", async () => {
    const id = idOf(await say("add", "Offer", "--percent", "10", "--starts", "2126-12-01T09:00"));
    expect(await say("list")).toMatchObject({ data: [{ state: "planned" }] });
    expect(await say("end", id)).toMatchObject({ data: { state: "ended" } });
  });

  test.each(["7777", "x"])("with the unknown id %s is refused", async (id) => {
    expect(await say("pause", id)).toMatchObject({ code: 2 });
  });
});

describe("offers codes", () => {
  test("prints different codes for one use each", async () => {
    const id = idOf(await say("add", "Offer", "--percent", "10", "--single-codes"));
    const made = await say("codes", id, "500");
    expect(new Set(made.data as string[]).size).toBe(500);
    expect(made.text.split(/\r?\n/).slice(0, 2)).toEqual(["\ufeffcode", expect.stringMatching(/^\w{4}-\w{4}$/)]);
    expect(await say("list")).toMatchObject({ data: [{ codes: 500, code: null }] });
  });

  test.each(["0", "10001", "some"])("refuses the count '%s'", async (count) => {
    const id = idOf(await say("add", "Offer", "--percent", "10", "--single-codes"));
    expect(await say("codes", id, count)).toMatchObject({ code: 2 });
  });

  test("refuses an offer that needs no code", async () => {
    const id = idOf(await say("add", "Offer", "--percent", "10"));
    expect(await say("codes", id, "5")).toMatchObject({ code: 2 });
  });
});

describe("offers show", () => {
  test("prints an offer with its terms, and each code with its uses", async () => {
    const id = idOf(await say("add", "Offer", "--percent", "15", "--code", "ONEMIND"));
    await say("codes", id, "1");
    const one = await say("show", id);
    expect(one).toMatchObject({ code: 0, data: { terms: { gift: { kind: "percent", percent: 15 } } } });
    expect((one.data as { allCodes: object[] }).allCodes).toHaveLength(2);
    expect(one.text).toContain("ONEMIND  0 uses");
    expect(one.text).toContain("  0 of 1 uses");
  });

  test.each(["7777", "x"])("with the unknown id %s is refused", async (id) => {
    expect(await say("show", id)).toMatchObject({ code: 2 });
    expect(await say("set", id, "--percent", "10")).toMatchObject({ code: 2 });
  });
});

describe("offers set", () => {
  test("changes what is named and nothing else", async () => {
    const words = ["--percent", "10", "--kinds", "tees", "--from-pieces", "2", "--ends", "2126-12-01T09:00", "--once"];
    const id = idOf(await say("add", "Offer", ...words));
    const before = (await say("show", id)).data as { terms: object };
    const changed = await say("set", id, "--name", "Two tees", "--percent", "20");
    expect(changed).toMatchObject({ code: 0, data: { name: "Two tees" } });
    expect((await say("show", id)).data).toEqual({
      ...before,
      name: "Two tees",
      sentence: expect.stringContaining("20% off tees"),
      terms: { ...before.terms, gift: { kind: "percent", percent: 20 } },
    });
  });

  test("removes conditions by the words none and no", async () => {
    const words = ["--percent", "10", "--kinds", "tees", "--from-sum", "50", "--ends", "2126-12-01T09:00", "--once"];
    const id = idOf(await say("add", "Offer", ...words));
    const none = ["--kinds", "none", "--from-sum", "none", "--ends", "none", "--once", "no", "--on-sale", "yes"];
    expect(await say("set", id, ...none)).toMatchObject({ data: { sentence: "10% off everything", endsAt: null } });
  });

  test.each<[string, string[], string]>([
    ["91 percent", ["--percent", "91"], "--percent: A whole number from 1 to 90"],
    ["an unknown kind", ["--kinds", "shoes"], "Kinds are"],
    ["no time", ["--ends", "tomorrow"], "--ends: "],
    ["no sum", ["--from-sum", "€10"], "--from-sum: A sum in dollars or naira"],
    ["neither yes nor no", ["--once", "perhaps"], "--once takes yes or no"],
    ["uses of an offer whose uses are not counted", ["--uses", "5"], "can’t be changed"],
  ])("refuses %s, and changes nothing", async (_, words, problem) => {
    const id = idOf(await say("add", "Offer", "--percent", "10"));
    const before = (await say("show", id)).data;
    expect(await say("set", id, ...words)).toMatchObject({ code: 2, text: expect.stringContaining(problem) });
    expect((await say("show", id)).data).toEqual(before);
  });

  test("refuses an offer that has ended", async () => {
    const id = idOf(await say("add", "Offer", "--percent", "10"));
    await say("end", id);
    expect(await say("set", id, "--percent", "20")).toMatchObject({ code: 2, text: "It has ended" });
  });
});
