import { errorCode } from "#app/infra/error-code.ts";

export class DatabaseAway extends Error {
  constructor() {
    super("The database does not answer");
  }
}

/** PostgreSQL's codes for a connection that is lost or refused: class 08, shut down, crashed, starting, too many. */
const POSTGRES_CODE = /^(08...|57P0[123]|53300)$/;
/** The server is no longer the primary. */
const READ_ONLY = "25006";
/** Messages of the client (pg) and the job queue for it, which have no codes. */
const CLIENT_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const NETWORK_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

/** Whether a statement was refused because its connection leads to a read-only server: it is of no more use. */
export function isFromStandby(error: unknown): boolean {
  return errorCode(error) === READ_ONLY;
}

/** Whether an error of any origin is about a lost or refused connection to the database. */
export function isDatabaseConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway || isFromStandby(error)) return true;
  return POSTGRES_CODE.test(errorCode(error)) || (error instanceof Error && CLIENT_MESSAGE.test(error.message));
}

/** The same for an error known to come from a database connection: network errors count too. */
export function isConnectionError(error: unknown): boolean {
  return isDatabaseConnectionError(error) || NETWORK_CODE.test(errorCode(error));
}

/** PostgreSQL's codes for a statement that was given up: it waited too long for a lock, or took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return ["55P03", "57014"].includes(errorCode(error));
}
