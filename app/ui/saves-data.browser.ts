/** TypeScript does not know `navigator.connection`: not all browsers have it. */
function isSaving(connection: unknown): boolean {
  return typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true;
}

/** Whether the browser was asked to save data; false on the server. */
export function savesData(): boolean {
  const connection: unknown = typeof navigator === "undefined" ? undefined : Reflect.get(navigator, "connection");
  return isSaving(connection);
}
