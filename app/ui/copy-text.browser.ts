/** Copies a text. Resolves to false if the browser doesn't allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.debug("The browser doesn’t allow copying", error);
    return false;
  }
}
