import { inSeconds, YEAR } from "#app/infra/durations.ts";
import { RETRY_SOON } from "#app/infra/http/server/responses.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import { FORMATS, type PictureFormat, WIDTHS } from "#app/ui/picture-sizes.ts";
import { picture } from "./renderings.server.ts";

const TYPES: Record<PictureFormat, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };
const SAVING_WIDTH = 480;

/**
 * The response to GET /images/HASH/WIDTH.FORMAT, with status 503 while the store is not available; null for any other
 * path. With the header Save-Data, the picture is at most 480 px wide.
 */
export async function pictureResponse(request: Request): Promise<Response | null> {
  const [, hash = "", digits = "", ending] =
    /^\/images\/([0-9a-f]{20})\/([1-9]\d*)\.(avif|webp|jpg)$/.exec(new URL(request.url).pathname) ?? [];
  const width = Number(digits);
  const format = FORMATS.find((one) => one === ending);
  if (!format || !WIDTHS.includes(width)) return null;
  const isSaving = request.headers.get("Save-Data") === "on";
  try {
    const bytes = await picture(hash, isSaving ? Math.min(width, SAVING_WIDTH) : width, format);
    return bytes ? found(bytes, format) : null;
  } catch (error) {
    return storeErrorResponse(error);
  }
}

/** The 503 response to an error of the picture store. Rethrows any other error. */
export function storeErrorResponse(error: unknown): Response {
  if (!(error instanceof Problem)) throw error;
  return new Response("The pictures are away for a moment.", {
    status: 503,
    headers: { ...RETRY_SOON, "Cache-Control": "no-store" },
  });
}

/**
 * The response with a photograph that is not public: a JPEG, or 503 while the store is not available. Undefined if
 * `reading` finds none. The Content-Security-Policy blocks all other content if the URL is opened directly.
 */
export async function photographResponse(
  id: string,
  reading: Promise<Buffer<ArrayBuffer> | undefined>,
): Promise<Response | undefined> {
  const bytes = await reading.catch(storeErrorResponse);
  if (!bytes || bytes instanceof Response) return bytes;
  return new Response(bytes, {
    headers: {
      "Content-Type": TYPES.jpg,
      "Content-Disposition": `inline; filename="${id}.jpg"`,
      "Content-Security-Policy": "default-src 'none'",
      "Cache-Control": "private, no-store",
    },
  });
}

function found(bytes: Buffer<ArrayBuffer>, format: PictureFormat): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": TYPES[format],
      "Cache-Control": `public, max-age=${inSeconds(YEAR)}, immutable`,
      Vary: "Save-Data",
    },
  });
}
