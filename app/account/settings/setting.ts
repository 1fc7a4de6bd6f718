/** "address": saved by a form on a page of its own. */
export const SETTINGS = [
  "name",
  "address",
  "default-address",
  "delete-address",
  "password",
  "sessions",
  "newsletter",
  "delete",
] as const;
export type Setting = (typeof SETTINGS)[number];

/** The setting that a posted form names. Undefined if it names none. */
export function settingIn(posted: unknown): Setting | undefined {
  return SETTINGS.find((setting) => setting === posted);
}

/** The result of a posted setting, shown beside its form. */
export type SettingAnswer = { setting?: Setting; done?: string; errors: Record<string, string> };
