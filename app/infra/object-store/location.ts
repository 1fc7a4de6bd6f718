/** Where files lie: in a folder, or in a bucket of an S3-compatible store, under names that begin with `prefix`. */
export type StoreLocation = { folder: string } | { bucket: string; prefix: string };

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/;

/** Reads `./data/pictures` or `s3://bucket/prefix`; undefined where it is neither. */
export function readLocation(text: string): StoreLocation | undefined {
  const [, bucket, prefix = ""] = BUCKET.exec(text) ?? [];
  if (bucket) return { bucket, prefix: prefix && `${prefix.replace(/\/+$/, "")}/` };
  return /^(?:s3:|[a-z][a-z0-9+.-]*:\/\/)/i.test(text) ? undefined : { folder: text };
}

/** The text that `readLocation` reads. */
export function locationText(location: StoreLocation): string {
  return "folder" in location ? location.folder : `s3://${location.bucket}/${location.prefix}`.replace(/\/$/, "");
}
