import { errorCode, errorMessage } from "#app/infra/error-fields.ts";

/** PostgreSQL's codes for a connection that is lost or refused: class 08, shut down, crashed, starting, too many. */
const POSTGRES_CODE = /^(08...|57P0[123]|53300)$/;
/** The server is no longer the primary. */
const READ_ONLY = "25006";
const AWAY = "The database does not answer";
/** What has no code says so in its message; the job queue passes on copies that are no instances of a class. */
const MESSAGES = new RegExp(
  `^(${AWAY}|Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)`,
);
const NETWORK_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

export class DatabaseAway extends Error {
  constructor() {
    super(AWAY);
  }
}

/** Whether a statement was refused because its connection leads to a read-only server: it is of no more use. */
export function isFromStandby(error: unknown): boolean {
  return errorCode(error) === READ_ONLY;
}

/** Whether an error of any origin is about a lost or refused connection to the database. */
export function isDatabaseConnectionError(error: unknown): boolean {
  return isFromStandby(error) || POSTGRES_CODE.test(errorCode(error)) || MESSAGES.test(errorMessage(error));
}

/** The same for an error known to come from a database connection: network errors count too. */
export function isConnectionError(error: unknown): boolean {
  return isDatabaseConnectionError(error) || NETWORK_CODE.test(errorCode(error));
}

/** PostgreSQL's codes for a statement that was given up: it waited too long for a lock, or took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return ["55P03", "57014"].includes(errorCode(error));
}
