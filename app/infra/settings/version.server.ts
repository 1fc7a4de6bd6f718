import about from "../../../package.json" with { type: "json" };

/** The shop's version. It rises with each change that an owner must know; CHANGELOG.md lists them. */
export const VERSION: string = about.version;
