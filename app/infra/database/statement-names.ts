/**
 * The most statements that a connection prepares: statements with lists of varying length must not fill the server's
 * memory.
 */
const MOST_STATEMENTS = 500;
const names = new Map<string, string>();
const CHANGES = /^\s*(?:insert|update|delete)\b/i;
const HAS_ALL_COLUMNS = /(?:^|[\s.,])\*\s*(?:,|from\b|$)/i;

/** The name under which connections prepare a statement; undefined for one that is not to be prepared. */
export function statementName(text: string, hasValues: boolean): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST_STATEMENTS || returnsAllColumns(text)) return known;
  if (!hasValues && !/^(select|with)\b/.test(text)) return; // BEGIN, or a migration of several statements
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** A prepared statement fixes the columns of `*`: it would fail after a migration that adds a column. */
function returnsAllColumns(text: string): boolean {
  const answer = CHANGES.test(text) ? (/\breturning\b.*$/is.exec(text)?.[0] ?? "") : text;
  return HAS_ALL_COLUMNS.test(answer);
}
