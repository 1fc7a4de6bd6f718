/**
 * Returns whether a file of the checkout goes into the build's context, by the rules of .dockerignore: the last line
 * that names the file, or a folder above it, decides.
 */
export function contextFilter(ignoreFile: string): (file: string) => boolean {
  const rules = ignoreFile
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => ({ lets: line.startsWith("!"), pattern: patternOf(line.replace(/^!/, "")) }));
  return (file) => {
    const parts = file.split("/");
    const places = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    return rules.findLast(({ pattern }) => places.some((place) => pattern.test(place)))?.lets ?? true;
  };
}

function patternOf(line: string): RegExp {
  const source = line
    .replace(/^\/|\/$/g, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (part) => (part.startsWith("**") ? "(?:.*/)?" : part === "*" ? "[^/]*" : "[^/]"));
  return new RegExp(`^${source}$`);
}

/** The files and folders that the steps of a Containerfile copy from the context. */
export function copiedFrom(containerfile: string): string[] {
  const copies = [...containerfile.matchAll(/^(?:COPY|ADD) (?!--from)(.+)$/gm)];
  return copies.flatMap(([, words = ""]) =>
    words
      .split(/\s+/)
      .filter((word) => !word.startsWith("--"))
      .slice(0, -1),
  );
}
