import { setImmediate as turnOfEvents } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formInTurn } from "./upload-turns.server.ts";

let now = 50_000;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

type Sent = { ended: Promise<string>; isCancelled(): boolean; leave(): void };
const sent: Sent[] = [];
afterEach(async () => {
  for (const one of sent) one.leave();
  await Promise.all(sent.splice(0).map(({ ended }) => ended));
});

/** A form of this account that never ends. `ended`: "had to give way", or what it failed by. */
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
  formInTurn(account, posted(new FormData()), async (form) => [...form].length) // 0
    .then((read) => (read === undefined ? "busy" : "read"));
/** What has not ended by now. */
const stillOn = (one: Sent) => Promise.race([one.ended, turnOfEvents("on its way")]);

test("five accounts at once: the fifth waits for ten seconds, to the millisecond, and the oldest gives way", async () => {
  const slow = ["a", "b", "c", "d"].map(sendSlowly);
  now += 9999;
  expect(await sendAtOnce("e")).toBe("busy");
  now += 1;
  expect(await sendAtOnce("e")).toBe("read");
  expect(await Promise.all(slow.map(stillOn))).toEqual(["had to give way", "on its way", "on its way", "on its way"]);
});

test("an account's second form ends its own first one when that is slow, and nobody else's", async () => {
  const [other, first] = [sendSlowly("other"), sendSlowly("own")];
  expect(await sendAtOnce("own")).toBe("busy");
  now += 10_000;
  const second = sendSlowly("own");
  expect(await first.ended).toBe("had to give way");
  expect(await Promise.all([stillOn(other), stillOn(second)])).toEqual(["on its way", "on its way"]);
  expect(await sendAtOnce("own")).toBe("busy"); // the end of the first has not ended the second's turn
});

test("a form that has come gives way to nobody, however long its pictures take", async () => {
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
  now += 60_000;
  expect(await sendAtOnce("e")).toBe("busy");
  kept.resolve("kept");
  expect(await Promise.all(used)).toEqual(Array(4).fill("kept"));
  expect(await sendAtOnce("e")).toBe("read");
});

test("whoever has to give way keeps the connection, by which the answer goes", async () => {
  const slow = sendSlowly("own");
  now += 10_000;
  expect(await sendAtOnce("own")).toBe("read");
  await slow.ended;
  expect(slow.isCancelled()).toBe(false);
});

test("a connection that breaks is no empty form, and its turn is over", async () => {
  const slow = sendSlowly("own");
  slow.leave();
  expect(await slow.ended).toBe("gone");
  expect(await sendAtOnce("own")).toBe("read");
});

test("a form without a body is an empty one", async () => {
  expect(await formInTurn("own", posted(), async (form) => [...form])).toEqual([]);
});
