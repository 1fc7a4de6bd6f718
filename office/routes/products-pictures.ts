import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router";
import { addPicture } from "#app/catalog/pictures/new-picture.server.ts";
import { makePictures } from "#app/catalog/pictures/renderings.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import { postedForm } from "../http/form.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { pictureWorks } from "../products/pictures.server.ts";

/** Takes one picture into the store, where no product shows it yet. The answer names it, and the work that makes its sizes. */
export async function action({ request, context }: ActionFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const file = (await postedForm(request)).get("picture");
  if (!(file instanceof File) || file.size === 0) return refusal("There is no picture in it");
  const picture = await addPicture(Buffer.from(await file.arrayBuffer())).catch((error: Error) => error);
  if (picture instanceof Problem) return refusal("The pictures’ store does not answer: try again in a moment", 503);
  if (picture instanceof Error) return refusal("No picture that can be read: JPEG, PNG, WebP, AVIF, GIF or TIFF");
  const work = pictureWorks.begin(staff.id, (onProgress) => makePictures(picture.hash, onProgress), { patience: 0 });
  return Response.json({ picture, work: await work });
}

function refusal(problem: string, status = 422): Response {
  return Response.json({ problem }, { status });
}

/** How far the sizes of a picture are. A work that is not known any more is done. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "catalogue");
  const work = pictureWorks.find(staff.id, new URL(request.url).searchParams.get("work") ?? "");
  const progress = work ? { made: work.done, all: work.all, isDone: work.isDone } : { isDone: true };
  return Response.json(progress);
}
