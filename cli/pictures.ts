import { copyPictures } from "#app/catalog/pictures/copy.server.ts";
import { recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { locationText, readLocation, type StoreLocation } from "#app/infra/object-store/location.ts";
import { openStore } from "#app/infra/object-store/open.server.ts";
import { type Actions, action, badInput, progress } from "./command.ts";

export const pictures: Actions = {
  "pictures move": action({
    options: { to: "PLACE", from: "PLACE" },
    says: "copies all pictures to another place (a folder, or s3://bucket), only those missing there; the shop stays open",
    changes: true,
    async run({ db, by, options: { to, from } }) {
      if (!to) return badInput("--to is missing. Give a folder or a bucket, like --to s3://irepo-pictures");
      const [source, target] = [from ? locationFrom("--from", from) : env.pictures, locationFrom("--to", to)];
      const [before, after] = [locationText(source), locationText(target)];
      if (before === after) return badInput(`--to: the pictures are in ${after} already`);
      const { copied, there, damaged } = await copyPictures(openStore(source), openStore(target), (all) =>
        progress("pictures", all),
      );
      const subject = { kind: "shop", id: "pictures" };
      await retryingTransaction(db, (trx) =>
        recordChange(trx, {
          by,
          action: "pictures move",
          subject,
          before: { in: before },
          after: { in: after, copied },
        }),
      );
      const data = { from: before, to: after, copied, there, damaged };
      const counts = `${copied} pictures copied from ${before} to ${after}, ${there} were already there.`;
      if (damaged.length > 0)
        return { code: 1, data, text: `${counts}\nThese are damaged, and weren't copied:\n  ${damaged.join("\n  ")}` };
      const next = `Next: start each instance with PICTURES_URL=${after}. Then run this command once more, with --from ${before}: it copies what came meanwhile.`;
      return { code: 0, data, text: from ? counts : `${counts}\n${next}` };
    },
  }),
};

function locationFrom(option: string, text: string): StoreLocation {
  const location = readLocation(text);
  if (!location) throw new BadInput(`${option}: ${text} isn't a folder or s3://bucket`);
  return location;
}
