import { readFile } from "node:fs/promises";
import { z } from "zod";
import { BadInput } from "#app/infra/bad-input.ts";
import { fileText } from "#app/infra/document/file-text.ts";

/** The text of a file. Throws a BadInput if the file cannot be read or is no text. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new BadInput(`${file} can't be read`);
  });
  const read = fileText(bytes);
  if ("problem" in read) throw new BadInput(`${file} ${read.problem}`);
  return read.text;
}

/** The value of a JSON file. Throws a BadInput if the file is no JSON. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`${file} isn't valid JSON: ${(error as Error).message}`);
  }
}

/** The documents of a .json file, which holds a list, or an object by id. Throws a BadInput for other files. */
export async function readDocuments(file: string): Promise<Record<string, unknown>[]> {
  const value = await readJson(file);
  if (Array.isArray(value)) return value as Record<string, unknown>[];
  if (typeof value !== "object" || value === null) throw new BadInput(`${file} has no documents`);
  return Object.entries(value).map(([id, document]) => ({ id, ...(document as object) }));
}

/** The documents of a JSON file: one, or a list. `thing` names one. Throws a BadInput with a line for each problem. */
export async function readListOf<Read>(document: z.ZodType<Read>, thing: string, file: string): Promise<Read[]> {
  const read = z.array(document).safeParse([await readJson(file)].flat());
  if (read.success) return read.data;
  const lines = read.error.issues.map(({ path: [at, ...field], message }) => {
    return `${thing} ${Number(at) + 1}${field.length > 0 ? `, ${field.join(".")}` : ""}: ${message}`;
  });
  throw new BadInput(["Nothing was changed.", ...lines].join("\n"));
}
