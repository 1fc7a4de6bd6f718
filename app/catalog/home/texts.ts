import type { HomePictureName } from "#app/ui/frame/home-pictures.ts";

/**
 * The texts of the sections with which the home page comes (own-sections.ts). Products are given by id; their names and
 * prices come from the catalogue, and products that are no longer sold are left out. The picture files are in
 * app/ui/frame/home-pictures.ts.
 */
export const ARRIVALS = { title: "New arrivals", link: "See all" };

export const CLOTH = {
  title: "It starts with the cloth",
  text: "Adire is the indigo cloth of Abeokuta: what is tied off or painted with starch stays pale when the rest is dyed. Our prints are drawn after it, and after the wax print that is bought by the yard in Lagos.",
  // Leads to the page of the kind, or to the whole shop once the owner has removed the kind.
  link: { to: "/shop?kind=prints", label: "See the prints" },
  alt: "A wide indigo adire cloth with spirals, dots, waves and flowers, hanging in folds down to its hem",
};

type PairText = { picture: HomePictureName; alt: string; products: string[] };

export const PAIRS: { title: string; pairs: PairText[] } = {
  title: "Better together",
  pairs: [
    {
      picture: "pair-home-away",
      alt: "Green Unity Home Jersey laid over the cream Unity Away Jersey",
      products: ["unity-home-jersey", "unity-away-jersey"],
    },
    {
      picture: "pair-tee-jersey",
      alt: "Orange Ember Pinstripe Jersey laid over the off-white Linked Rings Tee",
      products: ["ember-pinstripe-jersey", "rings-tee"],
    },
  ],
};

export const RAIL = {
  title: "Eight shirts, one side",
  // By its kind, like the link of the cloth.
  link: { to: "/shop?kind=jerseys", label: "See the jerseys" },
  alt: "Eight jerseys on wooden hangers on a rail",
};

export const SLOGAN = {
  line: "Of one mind",
  /** Follows the shop's name. */
  meaning: "is Yoruba for harmony: many people, one mind. We are built on unity and connection.",
  link: { to: "/about", label: "About us" },
};

/** The ids of all products that are mentioned below the slides. */
export const NAMED = [...new Set(PAIRS.pairs.flatMap(({ products }) => products))];
