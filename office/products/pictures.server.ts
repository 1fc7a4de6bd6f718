import { longWorks } from "../http/long-work.server.ts";

/** Pictures of which the sizes are being made: a row for each. */
export const pictureWorks = longWorks<true>();
