import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { awayResponse } from "#app/catalog/pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { addressBucket, limit } from "#app/infra/http/rate-limit.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { Problem as StoreProblem } from "#app/infra/problem.server.ts";
import type * as messages from "#app/messages.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import {
  addReturnPicture,
  awaitsPictures,
  photographHeaders,
  returnPicture,
} from "#app/orders/returns/pictures.server.ts";
import { MOST_PICTURES } from "#app/orders/returns/return.ts";
import { formInTurn } from "#app/orders/returns/upload-turns.server.ts";
import type { Route } from "./+types/order-pictures";

const MOST_BYTES = 8 * 1024 * 1024;

/** A picture that the signed-in shopper has sent with a return of theirs; 404 for anybody else. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  const { id = "" } = params;
  const bytes = user && (await returnPicture(db(), id, user.id).catch(awayResponse));
  if (bytes instanceof Response) return bytes;
  if (!bytes && user) noteSecurity("unknown-picture", { account: user.id });
  if (!bytes) return new Response("There is no such picture.", { status: 404 });
  return new Response(bytes, { headers: { ...photographHeaders(id), "Cache-Control": "private, no-store" } });
}

/** Takes photographs of damage to a return, and leads back to it; nothing is read of what nobody has asked for. */
export async function action({ request, params }: Route.ActionArgs) {
  const page = `/order/${encodeURIComponent(params.reference)}/return`;
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const { number, problem } = await take(request, user.id, params.reference);
  const query = problem ? `?${new URLSearchParams({ at: number, problem })}` : "";
  throw redirect(`${page}${query}#${number}`, 303);
}

type Problem = keyof typeof messages.returns.pictures;
type Taken = { number: string; problem?: Problem };

/** Whoever may send none, and whoever has tried too often, holds up nobody who may. */
async function take(request: Request, userId: string, reference: string): Promise<Taken> {
  if (!(await awaitsPictures(db(), userId, reference))) return { number: "", problem: "not-open" };
  const limited = await limit(
    db(),
    [`pictures of returns of ${userId}`, 20, HOUR],
    [`pictures of returns from ${addressBucket(request)}`, 100, HOUR],
  );
  if (!limited.ok) return { number: "", problem: "too-often" };
  const taken = await formInTurn(userId, request, async (form): Promise<Taken> => {
    const number = readReturnNumber(String(form.get("number"))) ?? "";
    const files = form.getAll("picture").filter((one): one is File => one instanceof File && one.size > 0);
    return { number, problem: await keep(userId, number, files) };
  });
  return taken ?? { number: "", problem: "busy" };
}

async function keep(userId: string, number: string, files: File[]): Promise<Problem | undefined> {
  if (files.length === 0) return "none";
  if (files.length > MOST_PICTURES) return "too-many";
  if (files.some(({ size }) => size > MOST_BYTES)) return "too-large";
  for (const file of files) {
    const bytes = Buffer.from(await file.arrayBuffer());
    const added = await addReturnPicture(db(), userId, number, bytes).catch((error: unknown) => {
      if (error instanceof StoreProblem) return { ok: false as const, fault: "away" as const };
      throw error;
    });
    if (!added.ok) return added.fault;
  }
  return;
}
