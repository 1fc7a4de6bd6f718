/** `navigator.connection` has no type in TypeScript, because not all browsers support it. */
function isSaving(connection: unknown): boolean {
  return typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true;
}

/** Whether the browser is set to save data. False on the server. */
export function savesData(): boolean {
  const connection: unknown = typeof navigator === "undefined" ? undefined : Reflect.get(navigator, "connection");
  return isSaving(connection);
}
