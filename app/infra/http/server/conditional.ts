/** What identifies a version of a file: a hash of its content, and when it was written. */
export type Validators = { etag: string; lastModified: string };

/** Whether the client's copy is still valid (RFC 9110, 13.2.2): by its tag if the request has one, else by the time. */
export function isUnchanged(asked: Headers, { etag, lastModified }: Validators): boolean {
  const tags = asked.get("If-None-Match");
  if (tags !== null) return namesTag(tags, etag);
  const since = asked.get("If-Modified-Since");
  return since !== null && Date.parse(lastModified) <= Date.parse(since);
}

/** Whether a range may be sent: a client that has a part of another version gets the whole file (13.1.5). */
export function isRangeMeant(asked: Headers, { etag, lastModified }: Validators): boolean {
  const version = asked.get("If-Range");
  return version === null || version === etag || version === lastModified;
}

/** Whether an If-None-Match names this tag. */
export function namesTag(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(",").some((one) => {
    const tag = one.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
