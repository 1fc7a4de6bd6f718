import { setImmediate as turnOfEvents } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UnreadableForm } from "#app/infra/http/form-reader.server.ts";
import { formInTurn } from "./upload-turns.server.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

type Sent = { ended: Promise<string>; isCancelled(): boolean; leave(): void };
const sent: Sent[] = [];
afterEach(async () => {
  for (const one of sent) one.leave();
  await Promise.all(sent.splice(0).map(({ ended }) => ended));
  vi.useRealTimers();
});

/** An upload of this account that never ends. `ended` is "had to give way" or the error. */
function sendSlowly(account: string): Sent {
  let isCancelled = false;
  const leaving = new AbortController();
  const body = new ReadableStream({
    start(stream) {
      leaving.signal.onabort = () => stream.error(new Error("gone"));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const request = new Request("http://localhost", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=a" },
    body,
    signal: leaving.signal,
    duplex: "half",
  } as RequestInit);
  const ended = formInTurn(account, request, async () => "read").then(
    (read) => read ?? "had to give way",
    ({ message }: Error) => message,
  );
  const one = { ended, isCancelled: () => isCancelled, leave: () => leaving.abort() };
  sent.push(one);
  return one;
}

const posted = (fields?: FormData) => new Request("http://localhost", { method: "POST", body: fields });
const sendAtOnce = (account: string) =>
  formInTurn(account, posted(new FormData()), async (form) => [...form].length) // no field, so 0
    .then((read) => (read === undefined ? "busy" : "read"));
/** The result of an upload, or "on its way" if it has not ended. */
const stillOn = (one: Sent) => Promise.race([one.ended, turnOfEvents("on its way")]);

test("of five accounts at once the fifth waits for exactly ten seconds, and the oldest gives way", async () => {
  const slow = ["a", "b", "c", "d"].map(sendSlowly);
  const fifth = sendAtOnce("e");
  await vi.advanceTimersByTimeAsync(9999);
  expect(await Promise.race([fifth, turnOfEvents("waits")])).toBe("waits");
  await vi.advanceTimersByTimeAsync(1);
  expect(await fifth).toBe("read");
  expect(await Promise.all(slow.map(stillOn))).toEqual(["had to give way", "on its way", "on its way", "on its way"]);
});

test("an account's second form replaces its own slow first one, and nobody else's", async () => {
  const [other, first] = [sendSlowly("other"), sendSlowly("own")];
  expect(await sendAtOnce("own")).toBe("busy");
  await vi.advanceTimersByTimeAsync(10_000);
  const second = sendSlowly("own");
  expect(await first.ended).toBe("had to give way");
  expect(await Promise.all([stillOn(other), stillOn(second)])).toEqual(["on its way", "on its way"]);
  expect(await sendAtOnce("own")).toBe("busy"); // the end of the first upload did not end the second one's turn
});

test("a form that has arrived keeps its turn, however long its pictures take", async () => {
  const kept = Promise.withResolvers<string>();
  const allRead = Promise.withResolvers<void>();
  let read = 0;
  const use = () => {
    read++;
    if (read === 4) allRead.resolve();
    return kept.promise;
  };
  const used = ["a", "b", "c", "d"].map((account) => formInTurn(account, posted(new FormData()), use));
  await allRead.promise;
  const fifth = sendAtOnce("e");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await fifth).toBe("busy");
  kept.resolve("kept");
  expect(await Promise.all(used)).toEqual(Array(4).fill("kept"));
  expect(await sendAtOnce("e")).toBe("read");
});

test("an upload that gives way keeps its connection for the response", async () => {
  const slow = sendSlowly("own");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await sendAtOnce("own")).toBe("read");
  await slow.ended;
  expect(slow.isCancelled()).toBe(false);
});

test("a broken connection is an error, no empty form, and ends its turn", async () => {
  const slow = sendSlowly("own");
  slow.leave();
  expect(await slow.ended).toBe("gone");
  expect(await sendAtOnce("own")).toBe("read");
});

test("a form without a body is an empty one", async () => {
  expect(await formInTurn("own", posted(), async (form) => [...form])).toEqual([]);
});

test("2 an upload during four others waits for the first that ends, the longest waiting first", async () => {
  const through = ["a", "b", "c", "d"].map(() => Promise.withResolvers<string>());
  const used = ["a", "b", "c", "d"].map((account, at) =>
    formInTurn(account, posted(new FormData()), async () => through[at]?.promise),
  );
  const order: string[] = [];
  const late = ["e", "f"].map((account) => sendAtOnce(account).then((how) => order.push(`${account} ${how}`)));
  await turnOfEvents();
  expect(order).toEqual([]);
  expect(await sendAtOnce("e")).toBe("busy"); // an account waits only once
  through[2]?.resolve("kept");
  await Promise.all(late);
  expect(order).toEqual(["e read", "f read"]);
  for (const { resolve } of through) resolve("kept");
  await Promise.all(used);
});

test("2 a client that disconnects while waiting delays nobody", async () => {
  const kept = Promise.withResolvers<string>();
  const used = ["a", "b", "c", "d"].map((account) => formInTurn(account, posted(new FormData()), () => kept.promise));
  const leaving = new AbortController();
  const gone = formInTurn(
    "e",
    new Request("http://localhost", { method: "POST", signal: leaving.signal }),
    async () => 1,
  );
  const next = sendAtOnce("f");
  leaving.abort();
  expect(await gone).toBeUndefined();
  kept.resolve("kept");
  expect(await next).toBe("read");
  await Promise.all(used);
});

test.each([
  ["a form of more than 8 parts is refused", 9, 1, "fields"],
  ["a picture of more than 8 MB ends its form, with a response", 2, 9 * 1024 * 1024, "too large"],
])("1 %s", async (_, parts, bytes, end) => {
  const form = new FormData();
  form.set("number", "RT-1");
  for (let at = 1; at < parts; at++) form.append("picture", new File([Buffer.alloc(bytes)], "a.jpg"));
  const ended = await formInTurn("own", posted(form), async (got, isTooLarge) =>
    isTooLarge ? `too large${got.getAll("picture").join("")}` : "read",
  ).catch((error: UnreadableForm) => error.why);
  expect(ended).toBe(end);
});
