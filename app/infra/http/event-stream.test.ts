import { expect, test } from "vitest";
import { endStreams, eventStream, openStreams } from "./event-stream.server.ts";

const newStream = () => eventStream(new AbortController().signal, "ada", () => () => undefined).text();

test("streams end when the process stops, also one whose request arrives at that moment", async () => {
  const before = newStream();
  expect(openStreams()).toBe(1);
  endStreams();
  expect([await before, await newStream()]).toEqual(["retry: 1000\n\n", "retry: 1000\n\n"]);
  expect(openStreams()).toBe(0);
});
