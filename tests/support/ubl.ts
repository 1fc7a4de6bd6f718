import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { validateXML } from "xmllint-wasm";

const FOLDER = "tests/fixtures/ubl-2.1";

const read = (folder: string, fileName: string) => readFileSync(path.join(FOLDER, folder, fileName), "utf8");
const common = readdirSync(path.join(FOLDER, "common")).map((fileName) => ({
  fileName,
  contents: read("common", fileName),
}));

/**
 * What OASIS's schema has against documents of one kind, each with its name in front. The checker has no folders, so
 * the schema is told to find its parts beside itself.
 */
export async function ublFaults(kind: "Invoice" | "CreditNote", xmls: Record<string, string>): Promise<string[]> {
  const fileName = `UBL-${kind}-2.1.xsd`;
  const schema = { fileName, contents: read("maindoc", fileName).replaceAll("../common/", "") };
  const xml = Object.entries(xmls).map(([name, contents]) => ({ fileName: `${name}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema, preload: common });
  return errors.map(({ rawMessage }) => rawMessage);
}
