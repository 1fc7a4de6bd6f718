export const SETTINGS = ["name", "password", "sessions", "newsletter", "delete"] as const;
export type Setting = (typeof SETTINGS)[number];

/** Which of the settings a posted form names; undefined: none of them. */
export function settingIn(posted: unknown): Setting | undefined {
  return SETTINGS.find((setting) => setting === posted);
}

/** What became of a posted setting: said beside its form. */
export type SettingAnswer = { setting?: Setting; done?: string; errors: Record<string, string> };
