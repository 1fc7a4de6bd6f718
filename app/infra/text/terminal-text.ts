/** The control characters of a terminal; a line break and a tab are text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * A stranger's text that is safe to print: without control characters it cannot move the cursor, or hide or change what
 * is on the screen.
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, "");
}

/** JSON that is safe to print: control characters are escaped, so that nothing is lost. */
export function printableJson(json: string): string {
  return json.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Whether a text has no control characters and is a single line. */
export const isPlainLine = (text: string): boolean => printable(text) === text && !text.includes("\n");
