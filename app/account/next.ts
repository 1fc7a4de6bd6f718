/** The path to open after a sign-in: `next` if it is a path of this shop, otherwise the home page. */
export function safeNext(next: string | null | undefined): string {
  if (!next || !/^\/(?![/\\])[\w\-./~?=&%]*$/.test(next) || /\/\.{0,2}\//.test(next)) return "/";
  return next;
}
