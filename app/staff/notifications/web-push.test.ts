import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { decrypted, isSigned, newBrowser } from "#tests/support/push-service.ts";
import { authorization, encrypted, isPublicKey, newKeys } from "./web-push.server.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

/** The example of RFC 8291, section 5 and appendix A. */
const RFC = {
  plaintext: "When I grow up, I want to be a watermelon",
  asPrivate: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  uaPublic: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
  uaPrivate: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
  auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

function pairOf(privateKey: Buffer) {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  return pair;
}

test("the example of RFC 8291 is encrypted as there", () => {
  const to = { publicKey: RFC.uaPublic, secret: RFC.auth };
  const made = encrypted(RFC.plaintext, to, { salt: RFC.salt, pair: pairOf(RFC.asPrivate) });
  expect(made.toString("base64url")).toBe(RFC.body);
});

test("the tests' browser decrypts the example of RFC 8291", () => {
  expect(decrypted(bytes(RFC.body), { pair: pairOf(RFC.uaPrivate), secret: RFC.auth })).toBe(RFC.plaintext);
});

test("only its browser can decrypt a message, and no two encryptions are the same", () => {
  const [browser, other] = [newBrowser(), newBrowser()];
  const text = "₦79,984 ".repeat(100);
  const to = { publicKey: browser.pair.getPublicKey(), secret: browser.secret };
  const [one, two] = [encrypted(text, to), encrypted(text, to)];
  expect(decrypted(one, browser)).toBe(text);
  expect(one.equals(two)).toBe(false);
  expect(() => decrypted(one, other)).toThrow();
});

test("the shop's signature is valid for one push service only", () => {
  const keys = newKeys();
  const made = authorization("https://push.example/send/1?x", { keys, contact: "help@shop.example" });
  expect(isSigned(made, "https://push.example")).toBe(true);
  expect(isSigned(made, "https://other.example")).toBe(false);
  const another = newKeys().publicKey.toString("base64url");
  expect(isSigned(made.replace(/k=.+$/, `k=${another}`), "https://push.example")).toBe(false);
});

test.each([
  ["a point of the curve", RFC.uaPublic, true],
  ["a compressed point", pairOf(RFC.uaPrivate).getPublicKey(null, "compressed"), false],
  ["no point of the curve", Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]), false],
  ["nothing", Buffer.alloc(0), false],
])("a browser's key is checked: %s", (_, key, isOne) => {
  expect(isPublicKey(key)).toBe(isOne);
});
