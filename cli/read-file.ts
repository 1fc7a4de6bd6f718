import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import { BadInput } from "#app/infra/bad-input.ts";

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw new BadInput(`${file} cannot be read`);
  });
}

/** Throws with a clear line where the file is no JSON. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`${file} is no JSON: ${(error as Error).message}`);
  }
}

/** The documents of a .json file (a list, or an object by id) or of a .csv file with a header. Throws with a clear line. */
export async function readDocuments(file: string): Promise<Record<string, unknown>[]> {
  if (file.endsWith(".csv")) return readCsv(file, await readText(file));
  const value = await readJson(file);
  if (Array.isArray(value)) return value as Record<string, unknown>[];
  if (typeof value !== "object" || value === null) throw new BadInput(`${file} holds no documents`);
  return Object.entries(value).map(([id, document]) => ({ id, ...(document as object) }));
}

function readCsv(file: string, text: string): Record<string, unknown>[] {
  const places = new Map<string, number>();
  const { data, errors } = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: "greedy",
    transformHeader(header, at) {
      const name = header.trim();
      if (!name) return `column ${at + 1}`; // spreadsheets leave empty ones
      if ((places.get(name) ?? at) !== at) throw new BadInput(`${file}, line 1: two columns are called ${name}`);
      places.set(name, at);
      return name;
    },
  });
  const [error] = errors;
  if (error) throw new BadInput(`${file}, line ${(error.row ?? 0) + 2}: ${error.message}`);
  return data;
}
