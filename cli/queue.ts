import { plural } from "#app/infra/text/plural.ts";
import { MOST_PACE, PACE } from "#app/owner/queues/pace.ts";
import { endQueue, listQueues, type OwnedQueue, switchQueueOn } from "#app/owner/queues/queues.server.ts";
import { momentOf, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const queue: Actions = {
  "queue on": action({
    words: ["product"],
    options: { from: "TIME", pace: "N" },
    says: `sells a product in turns, until 'queue off': shoppers wait in a queue before they pay. It opens --from a minute like 2026-11-30T12:00 in the shop's time zone, or now; until then nobody can buy the product. --pace: how many turns begin in a minute, ${PACE} unless you say another, at most ${MOST_PACE}`,
    changes: true,
    async run({ db, by, words: { product }, options: { from, pace } }) {
      const opensAt = from === undefined ? undefined : momentOf(from);
      if (from !== undefined && !opensAt) return badInput(`'${from}' is no time like 2026-11-30T09:00`);
      if (pace !== undefined && !/^\d{1,6}$/.test(pace)) return badInput(`'${pace}' is no number of turns a minute`);
      await switchQueueOn(db, by, product, { opensAt, pace: pace === undefined ? undefined : Number(pace) });
      const [made] = await listQueues(db, product);
      return { code: 0, data: made, text: made ? lineOf(made) : "" };
    },
  }),
  "queue off": action({
    words: ["product"],
    says: "ends a product's queue: its places are gone, and everybody can buy at once",
    changes: true,
    async run({ db, by, confirm, words: { product } }) {
      const [known] = await listQueues(db, product);
      if (!known) return badInput(`${product} has no queue`);
      if (known.waiting > 0) await confirm(`End it? ${plural(known.waiting, "shopper")} would lose their place`);
      await endQueue(db, by, product);
      return { code: 0, data: { ended: product }, text: `Ended: ${product}` };
    },
  }),
  "queue list": action({
    says: "the queues of products, with how many wait and have a turn",
    changes: false,
    async run({ db }) {
      const queues = await listQueues(db);
      return { code: 0, data: { queues }, text: queues.map(lineOf).join("\n") || "No queues" };
    },
  }),
};

function lineOf({ productId, opensAt, isOpen, pace, waiting, inTurn, ordered }: OwnedQueue): string {
  const since = `${isOpen ? "open since" : "opens at"} ${shopTimeWithZone(opensAt)}`;
  return `${productId}  ${since}  ${pace} a minute  ${waiting} waiting, ${inTurn} in their turn, ${ordered} ordered`;
}
