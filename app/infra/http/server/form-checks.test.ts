import { expect, test } from "vitest";
import { createEdge } from "./edge.server.ts";

let handedOn = 0;
const edge = createEdge({
  api: [],
  page: async () => {
    handedOn++;
    return new Response("taken");
  },
  picture: async () => null,
  webhooks: [],
  ready: () => true,
  works: async () => true,
  clientFiles: "",
});

const MB = 1024 * 1024;
const FILES = "multipart/form-data; boundary=x";
const TEXTS = "application/x-www-form-urlencoded";
const PICTURES = "/order/0123456789abcdef/pictures";

/** The headers alone decide: no body is read. */
test.each([
  ["photographs", PICTURES, FILES, { "content-length": `${32 * MB}` }, 200],
  ["photographs, however the path is written", PICTURES.toUpperCase(), FILES, { "content-length": "1000" }, 200],
  ["photographs that are too large", PICTURES, FILES, { "content-length": `${33 * MB}` }, 413],
  ["photographs without a length", PICTURES, FILES, { "transfer-encoding": "chunked" }, 411],
  ["photographs from another site", PICTURES, FILES, { "content-length": "9", origin: "https://evil.example" }, 403],
  ["files to another page", "/order/0123456789abcdef/return", FILES, { "content-length": "1000" }, 415],
  ["files to a page below", `${PICTURES}/1`, FILES, { "content-length": "1000" }, 415],
  ["files to a page whose path ends in the same way", "/a/order/x/pictures", FILES, { "content-length": "1000" }, 415],
  ["a large text to the path for photographs", PICTURES, TEXTS, { "content-length": `${MB}` }, 413],
  ["a large text", "/login", TEXTS, { "content-length": `${MB}` }, 413],
  ["a text", "/login", TEXTS, { "content-length": "1000" }, 200],
])("S55 %s", async (_, path, type, headers, status) => {
  const before = handedOn;
  const answer = await edge.request(`http://localhost:3000${path}`, {
    method: "POST",
    headers: { "content-type": type, ...(headers as Record<string, string>) },
  });
  expect([answer.status, handedOn - before]).toEqual([status, status === 200 ? 1 : 0]);
});
