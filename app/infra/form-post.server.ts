/** Whether a browser itself sent this form (without script, it then wants a page), not a script of ours. */
export function isPlainForm(request: Request): boolean {
  return (request.headers.get("sec-fetch-mode") ?? "navigate") === "navigate";
}

/** The text fields of a posted form; files and repeated names make no sense here and are left out. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const form = await request.formData();
  return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
