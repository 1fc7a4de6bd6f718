import { longWorks } from "../http/long-work.server.ts";

/** Pictures of which the sizes are being made. */
export const pictureWorks = longWorks<never>({ most: 20 });
