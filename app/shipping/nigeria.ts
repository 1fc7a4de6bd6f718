export const NIGERIA = { code: "NG", name: "Nigeria" } as const;

/** A country is posted by its name or its code; a browser's old form may carry either. */
export function isNigeria(country: string): boolean {
  return /^(nigeria|ng)$/i.test(country.trim());
}
