/** A number with its noun, such as "1 order" or "2 orders". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
