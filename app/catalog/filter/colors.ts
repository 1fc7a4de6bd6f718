/** The families of colours by which the shop is filtered, each with its name and the colour of its swatch. */
export const FAMILIES = {
  green: { name: "Green", swatch: "#0f6b45" },
  blue: { name: "Blue", swatch: "#2c3f94" },
  red: { name: "Red", swatch: "#a82c1e" },
  orange: { name: "Orange", swatch: "#d4541a" },
  yellow: { name: "Yellow", swatch: "#e3b53c" },
  brown: { name: "Brown", swatch: "#5a3721" },
  cream: { name: "Cream", swatch: "#e6d8bd" },
  white: { name: "White", swatch: "#ffffff" },
  grey: { name: "Grey", swatch: "#8f8c87" },
  black: { name: "Black", swatch: "#17130e" },
  pink: { name: "Pink", swatch: "#db8ea4" },
  purple: { name: "Purple", swatch: "#643f83" },
  other: { name: "Other", swatch: "conic-gradient(#d4541a, #e3b53c, #0f6b45, #2c3f94, #643f83, #d4541a)" },
} as const;
export type Family = keyof typeof FAMILIES;

export const FAMILY_NAMES = Object.keys(FAMILIES) as Family[];
