// Cuts Archivo to the letters in use: node scripts/subset-font.ts
import { readFileSync, writeFileSync } from "node:fs";
// @ts-expect-error the package ships no types
import subsetFont from "subset-font";

const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
const SIGNS = "₦≈–—’‘“”•✓×…·©−";
const LETTERS = "ÀÁÈÉÌÍÒÓÙÚàáèéìíòóùúẸẹỌọṢṣŃńǸǹỊịỤụṄṅƁɓƊɗƘƙḿ";
const TONES = "\u0300\u0301\u0304\u0323";

const TITLE = `${ASCII.replace(/[^\w .,:;!?'()&/$%+-]/g, "")}–’“”…éÉ`;

const TEXT_AXES = { wght: { min: 400, max: 700 }, wdth: { min: 100, max: 112 } };
const TITLE_AXES = { wght: 760, wdth: { min: 118, max: 125 } };

await cut("public/fonts/archivo-latin", "latin", ASCII + SIGNS + LETTERS + TONES, TEXT_AXES);
await cut("public/fonts/archivo-latin-ext", "latin-ext", ASCII + SIGNS + LETTERS + TONES, TEXT_AXES);
await cut("public/fonts/archivo-vietnamese", "vietnamese", ASCII + SIGNS + LETTERS + TONES, TEXT_AXES);
await cut("app/ui/archivo-display", "latin", TITLE, TITLE_AXES);

async function cut(name: string, part: string, text: string, variationAxes: typeof TEXT_AXES | typeof TITLE_AXES) {
  const source = readFileSync(`node_modules/@fontsource-variable/archivo/files/archivo-${part}-standard-normal.woff2`);
  const font = await subsetFont(source, text, { targetFormat: "woff2", noLayoutClosure: true, variationAxes });
  writeFileSync(`${name}.woff2`, font);
  process.stdout.write(`${name}: ${font.length} bytes\n`);
}
