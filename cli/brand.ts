import { ownBrand, SHIPPED_BRAND } from "#app/brand/brand.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { brandValues } from "#app/owner/shop/brand.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { type Actions, action, type Result } from "./command.ts";

/** The options, with the values that they set. */
const OPTIONS = { name: "shopName", wordmark: "wordmark", tagline: "tagline", footer: "footerLine" } as const;

export const brand: Actions = {
  "brand show": action({
    says: "shows the shop's name, its wordmark, its tagline and the line at the foot of its pages",
    changes: false,
    run: ({ db }) => show(db),
  }),
  "brand set": action({
    options: { name: "TEXT", wordmark: "TEXT", tagline: "TEXT", footer: "TEXT" },
    says: "changes the given ones; an empty text brings back what the shop comes with",
    changes: true,
    async run({ db, by, options }) {
      const given = Object.entries(OPTIONS).flatMap(([option, value]) => {
        const text = options[option as keyof typeof OPTIONS];
        return text === undefined ? [] : [[value, text]];
      });
      if (given.length === 0) throw new BadInput("Give --name, --wordmark, --tagline or --footer");
      const read = brandValues.partial().safeParse(Object.fromEntries(given));
      if (!read.success)
        throw wrong(read.error.issues.map(({ path, message }) => `--${optionOf(path[0])}: ${message}`));
      const done = await changeShop(db, by, read.data, await shopValues(db), "brand set");
      if (!done.ok) throw wrong(["Somebody else has changed it meanwhile."]);
      return show(db);
    },
  }),
};

const optionOf = (value: unknown) => Object.entries(OPTIONS).find(([, one]) => one === value)?.[0];

async function show(db: Db): Promise<Result> {
  const brand = ownBrand(await shopValues(db)) ?? SHIPPED_BRAND;
  const { name, wordmark, tagline, footer } = brand;
  return { code: 0, data: brand, text: [name, wordmark, tagline, footer].join("\n") };
}

function wrong(problems: string[]): BadInput {
  return new BadInput(["Nothing was changed.", ...problems].join("\n"));
}
