import {
  MaxFileSizeExceededError,
  MaxPartsExceededError,
  MaxTotalSizeExceededError,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from "@remix-run/multipart-parser";

const KB = 1024;

/** The limits of a form: the number of fields (parts, if it holds files), bytes in all, and bytes in one part. */
export type FormSize = { fields: number; bytes: number; part?: number };

/** Enough for any form without a list. A form with lines or files has a size of its own. */
export const SMALL_FORM: FormSize = { fields: 40, bytes: 64 * KB };

/** A form with two fields for each of the 200 lines that a cart may have. */
export const LINES_FORM: FormSize = { fields: 450, bytes: 64 * KB };

/** The form is too large, or the body is no form. The rest of the body has not been read. */
export class UnreadableForm extends Error {
  readonly why: "fields" | "bytes" | "part" | "no-form";

  constructor(why: UnreadableForm["why"]) {
    super(`A posted form: ${why}`);
    this.why = why;
  }
}

type Field = [name: string, value: string | File];

/**
 * The fields of a posted form, each as soon as it has arrived, so that nothing beyond the limits is parsed. `size` is
 * called before each field, since the first fields may narrow the limits. Throws UnreadableForm.
 */
export async function* fieldsIn(request: Request, size: () => FormSize): AsyncGenerator<Field> {
  if (Number(request.headers.get("content-length") ?? 0) > size().bytes) throw new UnreadableForm("bytes");
  const read = readerOf(request.headers.get("content-type") ?? "", size());
  let [fields, bytes] = [0, 0];
  for await (const chunk of chunksOf(request)) {
    bytes += chunk?.length ?? 0;
    if (bytes > size().bytes) throw new UnreadableForm("bytes");
    for (const field of read(chunk)) {
      if (++fields > size().fields) throw new UnreadableForm("fields");
      if (field) yield field;
    }
  }
}

/** Reads the body chunk by chunk; a call without a chunk marks the end. An empty field is undefined: it only counts. */
type ChunkReader = (chunk?: Uint8Array) => Iterable<Field | undefined>;

function readerOf(type: string, size: FormSize): ChunkReader {
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return urlEncoded();
  const [, quoted, plain] = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw new UnreadableForm("no-form");
  return multipart(boundary, size);
}

/**
 * The body's chunks as they arrive, and undefined at the end. If the loop is left early, the body is not cancelled:
 * that would close the connection that the response needs.
 */
async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array | undefined> {
  if (body) yield* body.values({ preventCancel: true });
  yield undefined;
}

const AND = 0x26;

function urlEncoded(): ChunkReader {
  let begun: Uint8Array[] = [];
  function ended(): Field | undefined {
    const text = Buffer.concat(begun).toString();
    begun = [];
    return new URLSearchParams(`&${text}`).entries().next().value;
  }
  return function* (chunk) {
    if (!chunk) return yield ended();
    let from = 0;
    for (let at = chunk.indexOf(AND); at !== -1; at = chunk.indexOf(AND, from)) {
      begun.push(chunk.subarray(from, at));
      yield ended();
      from = at + 1;
    }
    begun.push(chunk.subarray(from));
  };
}

function multipart(boundary: string, { fields, bytes, part = bytes }: FormSize): ChunkReader {
  const parser = new MultipartParser(boundary, { maxParts: fields, maxFileSize: part, maxTotalSize: bytes });
  return function* (chunk) {
    try {
      if (!chunk) return parser.finish();
      for (const one of parser.write(chunk)) yield fieldOf(one);
    } catch (error) {
      if (error instanceof MaxPartsExceededError) throw new UnreadableForm("fields");
      if (error instanceof MaxFileSizeExceededError) throw new UnreadableForm("part");
      if (error instanceof MaxTotalSizeExceededError) throw new UnreadableForm("bytes");
      // A TypeError means that a part's headers are not UTF-8.
      if (error instanceof MultipartParseError || error instanceof TypeError) throw new UnreadableForm("no-form");
      throw error;
    }
  };
}

function fieldOf({ name, isFile, bytes, filename = "", mediaType }: MultipartPart): Field | undefined {
  if (name === undefined) return;
  if (!isFile) return [name, new TextDecoder().decode(bytes)];
  return [name, new File([bytes as Uint8Array<ArrayBuffer>], filename, { type: mediaType })];
}
