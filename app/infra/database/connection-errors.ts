import { errorCode } from "#app/infra/error-code.ts";

export class DatabaseAway extends Error {
  constructor() {
    super("The database does not answer");
  }
}

/** PostgreSQL's codes for a connection that is lost or refused: class 08, shut down, crashed, starting, too many. */
const POSTGRES_CODE = /^(08...|57P0[123]|53300)$/;
/** The server on the other side is the primary no more. */
const READ_ONLY = "25006";
/** What the client (pg) and the job queue say of it, which have no codes. */
const CLIENT_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
const NETWORK_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

/** Whether a statement was refused because its connection leads to a server that takes no writes: nothing will come of it any more. */
export function isFromStandby(error: unknown): boolean {
  return errorCode(error) === READ_ONLY;
}

/** Whether any error, from wherever it comes, is about a connection to the database that is lost or refused. */
export function isDatabaseConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway || isFromStandby(error)) return true;
  return POSTGRES_CODE.test(errorCode(error)) || (error instanceof Error && CLIENT_MESSAGE.test(error.message));
}

/** PostgreSQL's codes for a statement that was given up: it waited too long for a lock, or took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return ["55P03", "57014"].includes(errorCode(error));
}

/** The same of an error that is known to come from such a connection: the network's errors count as well. */
export function isConnectionError(error: unknown): boolean {
  return isDatabaseConnectionError(error) || NETWORK_CODE.test(errorCode(error));
}
