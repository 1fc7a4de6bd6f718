import { errorCode, errorMessage } from "#app/infra/error-fields.ts";

/** PostgreSQL's codes for a connection that is lost or refused: class 08, shut down, crashed, starting, too many. */
const POSTGRES_CODE = /^(08...|57P0[123]|53300)$/;
/** PostgreSQL's code for a write refused by a read-only server, such as one that is no longer the primary. */
const READ_ONLY = "25006";
const AWAY = "The database does not answer";
/**
 * Messages of errors that have no code. The class cannot be checked: the job queue passes on plain copies of errors.
 */
const MESSAGES = new RegExp(
  `^(${AWAY}|Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)`,
);
/** The pool's messages: no connection became free in time, and a new one took too long to open. */
const NONE_FREE = /^timeout exceeded when trying to connect/;
const TOO_SLOW = /^Connection terminated due to connection timeout/;
const NETWORK_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

export class DatabaseAway extends Error {
  constructor() {
    super(AWAY);
  }
}

/**
 * Whether a statement was refused because its connection leads to a read-only server. The connection has to be closed
 * then.
 */
export function isFromStandby(error: unknown): boolean {
  return errorCode(error) === READ_ONLY;
}

/** Whether an error of any origin is about a lost or refused connection to the database. */
export function isDatabaseConnectionError(error: unknown): boolean {
  return isFromStandby(error) || POSTGRES_CODE.test(errorCode(error)) || MESSAGES.test(errorMessage(error));
}

/** Whether an error of a database connection means that the connection is lost or refused: network errors count too. */
export function isConnectionError(error: unknown): boolean {
  return isDatabaseConnectionError(error) || NETWORK_CODE.test(errorCode(error));
}

/**
 * Why opening or getting a connection timed out; undefined for any other error. The database may be running and busy.
 */
export function connectionTimeout(error: unknown): "none free" | "too slow" | undefined {
  const message = errorMessage(error);
  if (NONE_FREE.test(message)) return "none free";
  return TOO_SLOW.test(message) ? "too slow" : undefined;
}

/** Whether PostgreSQL has cancelled a statement because it waited too long for a lock or took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return ["55P03", "57014"].includes(errorCode(error));
}
