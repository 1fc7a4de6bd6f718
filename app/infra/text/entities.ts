const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A text for the content of elements in HTML, XML and other markup, which shows it as it is. Not for attributes. */
export function withEntities(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
}
