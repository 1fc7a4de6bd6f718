import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { budgetOfPost } from "#app/catalog/pictures/decoder.server.ts";
import { photographResponse } from "#app/catalog/pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { tooLarge } from "#app/infra/http/form-post.server.ts";
import { UnreadableForm } from "#app/infra/http/form-reader.server.ts";
import { networkTurn } from "#app/infra/http/network-turn.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import type * as messages from "#app/messages.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { addReturnPicture, awaitsPictures, returnPicture } from "#app/orders/returns/pictures.server.ts";
import { MOST_PICTURES } from "#app/orders/returns/return.ts";
import { formInTurn } from "#app/orders/returns/upload-turns.server.ts";
import type { Route } from "./+types/order-pictures";

/** A picture that the signed-in shopper has sent with a return. 404 for anybody else. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  const { id = "" } = params;
  const photograph = user && (await photographResponse(id, returnPicture(db(), id, user.id)));
  if (photograph) return photograph;
  if (user) noteSecurity("unknown-picture", { account: user.id });
  return new Response("There’s no such picture.", { status: 404 });
}

/**
 * Stores photographs of damage for a return, and redirects to the return. Pictures that no return asks for are not
 * read.
 */
export async function action({ request, params }: Route.ActionArgs) {
  const page = `/order/${encodeURIComponent(params.reference)}/return`;
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const taken = await take(request, user.id, params.reference).catch((error: unknown) => {
    if (error instanceof UnreadableForm) return tooLarge();
    throw error;
  });
  if (taken instanceof Response) return taken;
  const { number, problem } = taken;
  const query = problem ? `?${new URLSearchParams({ at: number, problem })}` : "";
  throw redirect(`${page}${query}#${number}`, 303);
}

type PictureProblem = keyof typeof messages.returns.pictures;
type Taken = { number: string; problem?: PictureProblem };

/** Checks the permission and the limits before reading the form, so that a refused request does not delay others. */
async function take(request: Request, userId: string, reference: string): Promise<Taken> {
  if (!(await awaitsPictures(db(), userId, reference))) return { number: "", problem: "not-open" };
  const limited = await limit(db(), [`pictures of returns of ${userId}`, 20, HOUR]);
  const turn = limited.ok ? await networkTurn(db(), request, "pictures of returns", [100, HOUR]) : limited;
  if (!turn.ok) return { number: "", problem: "too-often" };
  const taken = await formInTurn(userId, request, async (form, isTooLarge): Promise<Taken> => {
    const number = readReturnNumber(String(form.get("number"))) ?? "";
    if (isTooLarge) return { number, problem: "too-large" };
    const files = form.getAll("picture").filter((one): one is File => one instanceof File && one.size > 0);
    return { number, problem: await keep(userId, number, files, request.signal) };
  });
  return taken ?? { number: "", problem: "busy" };
}

/** All pictures of a form share the processor time allowed for one. */
async function keep(
  userId: string,
  number: string,
  files: File[],
  signal: AbortSignal,
): Promise<PictureProblem | undefined> {
  if (files.length === 0) return "none";
  if (files.length > MOST_PICTURES) return "too-many";
  const decoding = { signal, budget: budgetOfPost() };
  for (const file of files) {
    const bytes = Buffer.from(await file.arrayBuffer());
    const added = await addReturnPicture(db(), userId, number, bytes, decoding).catch((error: unknown) => {
      if (error instanceof Problem) return { ok: false as const, fault: "away" as const };
      throw error;
    });
    if (!added.ok) return added.fault;
  }
  return;
}
