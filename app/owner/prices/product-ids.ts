const LINE = /^(?:https?:\S*\/)?([A-Za-z0-9][\w-]{0,99})$/;

/** Reads a pasted list of products, one per line: the product's id, or the URL of its page. */
export function readProductIds(list: string): { ids: string[]; problem?: string } {
  const ids = new Set<string>();
  for (const line of list.split("\n").map((text) => text.trim())) {
    if (line === "") continue;
    const id = LINE.exec(line)?.[1];
    if (!id) return { ids: [], problem: `“${line.slice(0, 80)}” is no product’s id, like rings-tee` };
    ids.add(id);
  }
  return { ids: [...ids] };
}
