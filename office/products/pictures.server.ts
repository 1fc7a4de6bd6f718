import { longWorks } from "../http/long-work.server.ts";

/** The tasks that make the renderings of new pictures. */
export const pictureWorks = longWorks<never>({ most: 20 });
