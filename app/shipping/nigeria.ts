export const NIGERIA = { code: "NG", name: "Nigeria" } as const;

/** Accepts the name and the code, because a form in an old tab may post either. */
export function isNigeria(country: string): boolean {
  return /^(nigeria|ng)$/i.test(country.trim());
}
