// Cuts Archivo to the letters in use: node scripts/subset-font.ts
import { readFileSync, writeFileSync } from "node:fs";
// @ts-expect-error the package ships no types
import subsetFont from "subset-font";

const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
const SIGNS = "₦≈–—’‘“”•✓×…·©−";
const LETTERS = "ÀÁÈÉÌÍÒÓÙÚàáèéìíòóùúẸẹỌọṢṣŃńǸǹỊịỤụṄṅƁɓƊɗƘƙḿ";
const TONES = "\u0300\u0301\u0304\u0323";

for (const [part, text] of [
  ["latin", ASCII + SIGNS + LETTERS + TONES],
  ["latin-ext", ASCII + SIGNS + LETTERS + TONES],
  ["vietnamese", ASCII + SIGNS + LETTERS + TONES],
] as const) {
  const source = readFileSync(`node_modules/@fontsource-variable/archivo/files/archivo-${part}-standard-normal.woff2`);
  const cut = await subsetFont(source, text, {
    targetFormat: "woff2",
    noLayoutClosure: true,
    variationAxes: { wght: { min: 400, max: 800 }, wdth: { min: 100, max: 125 } },
  });
  writeFileSync(`public/fonts/archivo-${part}.woff2`, cut);
  process.stdout.write(`${part}: ${cut.length} bytes\n`);
}
