/**
 * An error that stops a start or a command. Its message is one line for the shop's operator: the setting, the problem
 * with its value, and the remedy.
 */
export class Problem extends Error {}

const OF_FILES: Record<string, string> = {
  EACCES: "this user may not read or write it: give it the right to, or name another place",
  EPERM: "this user may not change it: give it the right to, or name another place",
  EROFS: "the file system is read-only: name a place that can be written to",
  ENOSPC: "there is no space left on the device: make room there",
  EDQUOT: "the user's share of the device is used up: make room there",
  EEXIST: "it is no folder: name one",
  ENOTDIR: "it is no folder: name one",
  EIO: "the device does not work: look at the system's log",
};

/** For ENOENT, which Node reports when a folder and those above it are to be created on a read-only file system. */
const NO_PLACE = "it cannot be made there: name a place that can be written to";

/**
 * The message about an error, in one line. `dataDir` is the folder that DATA_DIR names: an error in it is reported with
 * this setting.
 */
export function lineOf(error: unknown, dataDir: string): string {
  const { code = "", path, syscall, message = String(error) } = error as NodeJS.ErrnoException;
  const what = syscall === "mkdir" && code === "ENOENT" ? NO_PLACE : OF_FILES[code];
  if (!what) return inOneLine(message);
  return `${path?.startsWith(dataDir) ? "DATA_DIR: " : ""}${path ?? message}: ${what}`;
}

export function inOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " | ");
}

const OF_CONNECTIONS: Record<string, (url: URL) => string> = {
  ECONNREFUSED: ({ host }) => `nobody answers at ${host}: start the PostgreSQL there, or correct host and port`,
  ENOTFOUND: ({ hostname }) => `there is no host ${hostname}: correct its name`,
  EAI_AGAIN: ({ hostname }) =>
    `the address of ${hostname} cannot be looked up at the moment: correct its name, or wait`,
  EHOSTUNREACH: ({ host }) => `${host} cannot be reached from here: look at the network, or correct host and port`,
  ENETUNREACH: ({ host }) => `${host} cannot be reached from here: look at the network, or correct host and port`,
  ETIMEDOUT: ({ host }) => `${host} does not answer in time: look at the network, or correct host and port`,
  ECONNRESET: ({ host }) => `${host} hangs up: is it a PostgreSQL?`,
  "28P01": ({ username }) => `the database refuses the password of ${username}: correct it`,
  "28000": ({ username }) => `the database does not let ${username} in from here: correct the user, or its pg_hba.conf`,
  "3D000": ({ pathname }) =>
    `there is no database '${pathname.slice(1)}' there: make it (createdb), or correct the name`,
  "42501": ({ username }) =>
    `${username} may not do what an update needs: name the owner of the tables in DATABASE_OWNER_URL`,
  "53300": () => "the database takes no more connections: raise its max_connections, or stop what else uses it",
  "57P03": () => "the database is still starting: wait a moment",
};

/** The reason why a database cannot be used; `setting` is the setting that holds its address. */
export function databaseProblem(error: unknown, setting: string, address: string): Problem {
  if (error instanceof Problem) return error;
  const { code = "", message } = error as { code?: string; message: string };
  if (/^corrupted migrations/.test(message)) {
    const [, other = "one"] = /migration (\S+) is missing/.exec(message) ?? [];
    return new Problem(
      `${setting}: the database was made by a build of another line of the shop: it has the migration ${other}, which is unknown here, and lacks others: start the build that made it, or restore a backup into an empty shop`,
    );
  }
  const url = new URL(address);
  const known = OF_CONNECTIONS[/timeout/i.test(message) ? "ETIMEDOUT" : code];
  return new Problem(`${setting}: ${known?.(url) ?? `the database cannot be used: ${inOneLine(message || code)}`}`);
}
