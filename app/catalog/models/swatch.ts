import { FAMILIES, type Family } from "../filter/colors.ts";

/** The CSS background of the swatch of a colour in these families: of the first two if there are several. */
export function swatchOf([first = "other", second]: readonly Family[]): string {
  const { swatch } = FAMILIES[first];
  return second ? `linear-gradient(135deg, ${swatch} 50%, ${FAMILIES[second].swatch} 50%)` : swatch;
}
