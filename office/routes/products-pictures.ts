import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";
import { addPicture, NoPicture } from "#app/catalog/pictures/new-picture.server.ts";
import { makePictures } from "#app/catalog/pictures/renderings.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import { MOST_POSTED, postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { pictureWorks } from "../products/pictures.server.ts";

/**
 * Stores one picture, which belongs to no product yet. The response contains the picture and the id of the task that
 * makes its renderings.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const file = (await postedForm(request, { fields: 1, bytes: MOST_POSTED })).get("picture");
  if (!(file instanceof File) || file.size === 0) return refusal("There’s no picture in it");
  const picture = await addPicture(Buffer.from(await file.arrayBuffer()), { signal: request.signal }).catch(
    (error: Error) => error,
  );
  if (picture instanceof Problem) return refusal("The picture store isn’t answering. Try again in a moment", 503);
  if (picture instanceof NoPicture && picture.fault === "too-slow")
    return refusal("It takes too long to open. Save it again as an ordinary JPEG, or smaller");
  if (!(picture instanceof NoPicture) && picture instanceof Error) throw picture;
  if (picture instanceof NoPicture)
    return refusal("This picture can’t be read. Use a JPEG, PNG, WebP, AVIF, GIF or TIFF");
  const work = pictureWorks.begin(staff.id, (onProgress) => makePictures(picture.hash, onProgress), { patience: 0 });
  return Response.json({ picture, work: await work });
}

function refusal(problem: string, status = 422): Response {
  return Response.json({ problem }, { status });
}

/** The progress of a picture's renderings. An unknown task counts as done. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const work = pictureWorks.find(staff.id, new URL(request.url).searchParams.get("work") ?? "");
  const progress = work ? { made: work.done, all: work.all, isDone: work.isDone } : { isDone: true };
  return Response.json(progress);
}
