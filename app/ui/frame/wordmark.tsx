import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { useBrand } from "#app/brand/context.tsx";
import { Link } from "#app/ui/link.tsx";

/** Outlines of Archivo's letters, expanded and heavy, so that the name looks right before the font is loaded. */
const LETTERS =
  "M43 343V0H142V343Z M215 343V0H500Q536 0 561 15Q586 30 598 55Q610 80 610 110Q610 142 595 169Q579 196 548 211L618 343H507L450 228H314V343ZM314 154H468Q487 154 498 142Q509 131 509 113Q509 100 504 91Q499 82 490 78Q480 73 468 73H314Z M668 343V0H1025V73H767V133H994V205H767V269H1029V343Z M1087 343V0H1351Q1385 0 1410 14Q1435 29 1449 55Q1463 82 1463 116Q1463 150 1449 177Q1434 203 1409 218Q1383 232 1350 232H1186V343ZM1186 159H1322Q1345 159 1357 148Q1369 136 1369 116Q1369 102 1364 93Q1358 83 1348 78Q1337 73 1322 73H1186Z M1715 349Q1645 349 1595 328Q1545 307 1517 267Q1490 228 1490 171Q1490 115 1517 75Q1545 35 1595 14Q1645 -6 1715 -6Q1784 -6 1835 14Q1885 35 1913 75Q1940 115 1940 171Q1940 228 1913 267Q1885 307 1835 328Q1784 349 1715 349ZM1715 275Q1742 275 1765 268Q1788 262 1804 249Q1821 236 1830 218Q1838 200 1838 176V165Q1838 142 1830 123Q1821 105 1804 93Q1788 80 1765 74Q1742 68 1715 68Q1687 68 1665 74Q1642 80 1625 93Q1609 105 1600 123Q1592 142 1592 165V176Q1592 200 1600 218Q1609 236 1625 249Q1642 262 1665 268Q1687 275 1715 275Z";

export function Wordmark({ className = "" }: { className?: string }) {
  const { wordmark } = useBrand();
  return (
    <Link
      to="/"
      aria-label={`${wordmark}, to the home page`}
      className={`inline-flex h-11 min-w-0 max-w-full items-center ${className}`}
    >
      <Letters className="h-[1.0625rem] max-w-full" />
      {isDrawn(wordmark) && <span className="sr-only">{wordmark}</span>}
    </Link>
  );
}

/** Whether the wordmark is a drawing, which needs a text beside it. Only the one that the shop comes with is. */
const isDrawn = (wordmark: string) => wordmark === SHIPPED_BRAND.wordmark;

/** The wordmark without a link: as a drawing, or in the shop's font. A long one takes two small lines. */
export function Letters({ className }: { className: string }) {
  const { wordmark } = useBrand();
  if (!isDrawn(wordmark)) return <LettersOf wordmark={wordmark} />;
  return (
    <svg viewBox="42 -6 1901 355" className={className} fill="currentColor" aria-hidden="true">
      <path d={LETTERS} />
    </svg>
  );
}

function LettersOf({ wordmark }: { wordmark: string }) {
  return <span className={`display min-w-0 leading-tight! ${sizeOf(wordmark)}`}>{wordmark}</span>;
}

/** The longest is a name in capitals, of 30 letters (BRAND_MAX). */
function sizeOf({ length }: string): string {
  if (length <= 12) return "truncate text-xl";
  return length <= 20 ? "line-clamp-2 text-xs" : "line-clamp-2 text-[0.625rem] sm:text-xs";
}
