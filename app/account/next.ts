/** Where to go after signing in: only a path of our own, else the home page. */
export function safeNext(next: string | null | undefined): string {
  if (!next || !/^\/(?![/\\])[\w\-./~?=&%]*$/.test(next) || /\/\.{0,2}\//.test(next)) return "/";
  return next;
}
