import { readFileSync } from "node:fs";

/** The settings of a unit file: `all` returns the values of a name in order. */
export type Unit = { all(name: string): string[]; one(name: string): string };

export function readUnit(file: string): Unit {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => /^([A-Za-z]+)=(.*)$/.exec(line))
    .filter((match) => match !== null);
  const all = (name: string) => lines.filter(([, one]) => one === name).map(([, , value = ""]) => value);
  return { all, one: (name) => all(name).at(-1) ?? "" };
}

const words = (values: string[]) => values.flatMap((value) => value.split(/\s+/).filter(Boolean));

/** The folders to which a unit under ProtectSystem=strict may write. */
export function writableFolders(unit: Unit): string[] {
  return [
    ...words(unit.all("StateDirectory")).map((name) => `/var/lib/${name}`),
    ...words(unit.all("CacheDirectory")).map((name) => `/var/cache/${name}`),
    ...words(unit.all("ReadWritePaths")),
  ];
}

/** The environment that systemd gives to the commands of a unit. */
export function environmentOf(unit: Unit, home: string): Record<string, string> {
  const given = words(unit.all("Environment")).map((one) => one.split("=") as [string, string]);
  const user = unit.one("User");
  const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  return { PATH: path, HOME: home, USER: user, LOGNAME: user, SHELL: "/bin/sh", ...Object.fromEntries(given) };
}
