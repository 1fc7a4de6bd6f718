import { describe, expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { command } from "#tests/support/command.ts";
import { actionsLike, readCall, usageOf } from "./call.ts";
import { actions } from "./commands.ts";

const { db, oneBuyer, provider } = useCheckout();
const all = Object.entries(actions);
const say = (line: string) => command(db(), line.split(" "));

describe("a wrong command line ends with 2 and the usage of its action, and nothing done", () => {
  const enough = (name: string) => [...name.split(" "), ...(actions[name]?.words ?? []).map(() => "x".repeat(20))];

  test.each(all)("%s", async (name, action) => {
    const usage = usageOf(name, action);
    const required = action.words.filter((word) => !word.startsWith("["));
    const lines: [string[], string][] = [
      [[...enough(name), "49.99"], "'49.99' isn't expected here"],
      [[...enough(name), "--lost"], "'--lost'"],
      [[...enough(name), "-x"], "'-x'"],
      ...(required.length > 0 ? [[name.split(" "), "is missing"] as [string[], string]] : []),
    ];
    for (const [line, says] of lines) {
      const { code, text, data } = await command(db(), line);
      expect([code, data, text.split("\n").length]).toEqual([2, { error: text }, 1]);
      expect(text).toContain(says);
      expect(text).toContain(`say '${usage}'`);
    }
  });

  test("an unknown action names the known ones", async () => {
    const { code, text } = await say("orders refnd abc");
    expect(code).toBe(2);
    for (const name of ["orders refund ORDER", "orders list"]) expect(text).toContain(name);
  });

  test("an option that is given twice is refused", async () => {
    expect(await say("audit list --page 1 --page 2")).toMatchObject({
      code: 2,
      text: expect.stringContaining("--page is given twice"),
    });
  });

  test("a sum after 'orders refund' is an unknown word: nothing is refunded", async () => {
    const { payment } = await oneBuyer();
    expect((await say(`orders refund ${payment.reference} 49.99`)).code).toBe(2);
    expect(await db().selectFrom("refunds").selectAll().execute()).toEqual([]);
    provider.pay(payment.reference, { status: "abandoned" });
  });
});

test("a former name of an action runs the same action, and is recognized as one", () => {
  const called = (line: string) => {
    const { name, isFormerName } = readCall(line.split(" "));
    return { name, isFormerName };
  };
  expect(called("collections import folder --skip-bad")).toEqual({ name: "documents import", isFormerName: true });
  expect(called("documents import folder --skip-bad")).toEqual({ name: "documents import", isFormerName: false });
});

test("help lists all actions, those of one command, or one action", () => {
  const names = (...line: string[]) => actionsLike(line).map(([name]) => name);
  expect(names()).toEqual(Object.keys(actions));
  expect(names("stock")).toContain("stock set");
  expect(names("stock", "set", "--help")).toEqual(["stock set"]);
});
