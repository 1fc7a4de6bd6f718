import { ReadableStream } from "node:stream/web";
import { expect, test } from "vitest";
import { type FormSize, fieldsIn, LINES_FORM, SMALL_FORM, UnreadableForm } from "./form-reader.server.ts";

const TEXTS = "application/x-www-form-urlencoded";

async function read(body: RequestInit["body"], type = "", size: FormSize = SMALL_FORM) {
  const init = { method: "POST", headers: { "content-type": type }, body, duplex: "half" };
  const request = new Request("http://localhost", init as RequestInit);
  const fields: [string, string][] = [];
  try {
    for await (const [name, value] of fieldsIn(request, () => size))
      fields.push([name, value instanceof File ? `${value.name} ${value.type} ${await value.text()}` : value]);
    return fields;
  } catch (error) {
    if (error instanceof UnreadableForm) return error.why;
    throw error;
  }
}

/** A stream of single bytes, which no browser sends. */
const inBytes = (text: string) => ReadableStream.from(Array.from(Buffer.from(text), (byte) => new Uint8Array([byte])));

const TYPED = ["a=1&b=&c", "a=%C3%A9+%26&?=x", "a=ọ̀&a=2", "", "&&", "a=%zz&=b", "a==b", "a=1&"];
test.each(TYPED)("1 a browser's form is read, also byte by byte: “%s”", async (text) => {
  const asUsual = [...new URLSearchParams(`&${text}`)];
  expect(await read(text, TEXTS)).toEqual(asUsual);
  expect(await read(inBytes(text) as RequestInit["body"], TEXTS)).toEqual(asUsual);
});

test("1 texts and files of a multipart form are read in its order", async () => {
  const form = new FormData();
  form.append("number", "RT-1 ọ̀");
  form.append("picture", new File(["bytes"], "tear “1”.jpg", { type: "image/jpeg" }));
  form.append("picture", new File([], ""));
  const sent = new Request("http://localhost", { method: "POST", body: form });
  const type = sent.headers.get("content-type") ?? "";
  expect(await read(await sent.bytes(), type)).toEqual([
    ["number", "RT-1 ọ̀"],
    ["picture", "tear “1”.jpg image/jpeg bytes"],
    ["picture", expect.stringMatching(/^\S* ?application\/octet-stream $/)],
  ]);
});

const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const PARTS = "multipart/form-data; boundary=x";
test.each([
  ["40 fields", Array(40).fill("a=1").join("&"), TEXTS, SMALL_FORM, 40],
  ["41 fields", Array(41).fill("a=1").join("&"), TEXTS, SMALL_FORM, "fields"],
  ["450 fields of a form with lines", Array(450).fill("a=1").join("&"), TEXTS, LINES_FORM, 450],
  ["451 of them", Array(451).fill("a=1").join("&"), TEXTS, LINES_FORM, "fields"],
  ["64 KB", `a=${"x".repeat(64 * 1024 - 2)}`, TEXTS, SMALL_FORM, 1],
  ["a byte more", `a=${"x".repeat(64 * 1024 - 1)}`, TEXTS, SMALL_FORM, "bytes"],
  ["as many parts as are allowed", `${part("a", "1").repeat(2)}--x--`, PARTS, { fields: 2, bytes: 999 }, 2],
  ["three", `${part("a", "1").repeat(3)}--x--`, PARTS, { fields: 2, bytes: 999 }, "fields"],
  [
    "a part that is larger than one may be",
    `${part("a", "12345")}--x--`,
    PARTS,
    { fields: 2, bytes: 999, part: 4 },
    "part",
  ],
  ["parts without an end", part("a", "1"), PARTS, SMALL_FORM, "no-form"],
  [
    "parts with names that are not UTF-8",
    Buffer.from(`${part("\xff", "1")}--x--`, "latin1"),
    PARTS,
    SMALL_FORM,
    "no-form",
  ],
  ["parts without a boundary", part("a", "1"), "multipart/form-data", SMALL_FORM, "no-form"],
  ["a part without a name", "--x\r\nContent-Type: text/plain\r\n\r\n1\r\n--x--", PARTS, SMALL_FORM, 0],
  ["JSON", "{}", "application/json", SMALL_FORM, "no-form"],
  ["nothing", null, "", SMALL_FORM, "no-form"],
] as const)("1 %s: %#", async (_, body, type, size, end) => {
  const got = await read(body, type, size);
  expect(typeof got === "string" ? got : got.length).toBe(end);
});
