/** The code of an error of Node, PostgreSQL or the mail client; empty where it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Object && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The message of an error, or of a copy of one; empty where it has none. */
export function errorMessage(error: unknown): string {
  return error instanceof Object && "message" in error && typeof error.message === "string" ? error.message : "";
}
