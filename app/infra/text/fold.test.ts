import { sql } from "kysely";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { fold, foldLetters } from "./fold.ts";

const database = useDatabase();

test.each([
  ["Ụmụada", "umuada"],
  ["Aṣọ òkè", "aso oke"],
  ["Ọ̀ṣun", "osun"],
  ["ỌṢUN", "osun"],
  ["Ṅwa Ńwá", "nwa nwa"],
  ["Ɗan Ɓauna Ƙasa Ƴaya", "dan bauna kasa yaya"],
  ["O’Brien, O'Brien & OʼBrien", "o brien o brien o brien"],
  ["T‑Shirt — „Łódź“", "t shirt lodz"],
  ["Ｆｕｌｌ　Ｗｉｄｔｈ １０", "full width 10"],
  ["Œuvre, Straße, Æther", "oeuvre strasse aether"],
  ["İstanbul ISPARTA ısı", "istanbul isparta isi"],
  ["ΟΔΟΣ", "οδοσ"],
  ["أُنثى", "انثي"],
  ["می‌خواهم ٢٤", "ميخواهم 24"],
  ["Ёлка, ЙОД", "елка иод"],
  ["(2) \u202a+234\u202c", "2 234"],
])("15 %s is searched as %s, here and in the database", async (text, folded) => {
  for (const written of [text, text.normalize("NFD"), text.normalize("NFC"), text.normalize("NFD").toUpperCase()]) {
    expect(fold(written), written).toBe(folded);
    const { rows } = await sql<{ folded: string }>`select fold(${written}) as folded`.execute(database.db());
    expect(rows).toEqual([{ folded }]);
  }
});

test("15 every character of Unicode folds the same here and in the database", async () => {
  const all = Array.from({ length: 0x20000 }, (_, at) => at).filter((at) => at > 0 && (at < 0xd800 || at > 0xf8ff));
  // Leaves out unassigned characters, and large scripts that have neither capitals nor marks.
  const others =
    /\p{Cn}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Yi}\p{Script=Egyp}\p{Script=Xsux}\p{Script=Hluw}\p{Script=Tang}\p{Script=Kits}]/u;
  const letters = all.map((at) => String.fromCodePoint(at)).filter((one) => !others.test(one));
  // Leaves out characters that the server's version of Unicode does not have.
  const { rows } = await sql<{ one: string; there: string }>`
    select one, fold('a' || one || 'b') as there from unnest(${letters}::text[]) one where unicode_assigned(one)`.execute(
    database.db(),
  );
  expect(rows.length).toBeGreaterThan(15_000);
  expect(rows.filter(({ one, there }) => there !== fold(`a${one}b`))).toEqual([]);
});

test("15 a letter or digit separates words only if it is written with another sign", () => {
  const all = Array.from({ length: 0x1fb00 }, (_, at) => at).filter((at) => at < 0xd800 || at > 0xdfff);
  const letters = all.map((at) => String.fromCodePoint(at)).filter((one) => /[\p{L}\p{Nd}]/u.test(one));
  const signs = /\p{Lm}|[ⅎↄℲↃ]/u; // a modifier letter stands for an apostrophe
  const parting = letters.filter((one) => one.normalize("NFKD") === one && fold(`a${one}b`).includes(" "));
  expect(parting.filter((one) => !signs.test(one))).toEqual([]);
});

test("15 folding twice changes nothing more", () => {
  for (const text of ["Ọ̀ṣun – O’Brien", "ﬃ Ǽ ẞ", "Ｔ‑Ｓ"]) expect(fold(fold(text))).toBe(fold(text));
  expect(foldLetters("IR-7K3M-2Q")).toBe("ir-7k3m-2q");
});
