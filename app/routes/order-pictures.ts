import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { awayResponse } from "#app/catalog/pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { postedForm } from "#app/infra/http/form-post.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { Problem as StoreProblem } from "#app/infra/problem.server.ts";
import type * as messages from "#app/messages.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { addReturnPicture, photographHeaders, returnPicture } from "#app/orders/returns/pictures.server.ts";
import { MOST_PICTURES } from "#app/orders/returns/return.ts";
import type { Route } from "./+types/order-pictures";

const MOST_BYTES = 8 * 1024 * 1024;
/** A request lies in memory as a whole while it is read: one of an account, and so many of all. */
const AT_ONCE = 4;
const reading = new Set<string>();

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

/** Takes photographs of damage to a return, and leads back to it; nothing is read of what a stranger sends. */
export async function action({ request, params }: Route.ActionArgs) {
  const page = `/order/${encodeURIComponent(params.reference)}/return`;
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const { number, problem } = await take(request, user.id);
  const query = problem ? `?${new URLSearchParams({ at: number, problem })}` : "";
  throw redirect(`${page}${query}#${number}`, 303);
}

type Problem = keyof typeof messages.returns.pictures;

async function take(request: Request, userId: string): Promise<{ number: string; problem?: Problem }> {
  if (reading.has(userId) || reading.size >= AT_ONCE) return { number: "", problem: "busy" };
  reading.add(userId);
  try {
    const form = await postedForm(request);
    const number = readReturnNumber(String(form.get("number"))) ?? "";
    const files = form.getAll("picture").filter((one): one is File => one instanceof File && one.size > 0);
    return { number, problem: await keep(userId, number, files) };
  } finally {
    reading.delete(userId);
  }
}

async function keep(userId: string, number: string, files: File[]): Promise<Problem | undefined> {
  if (files.length === 0) return "none";
  if (files.length > MOST_PICTURES) return "too-many";
  if (files.some(({ size }) => size > MOST_BYTES)) return "too-large";
  const limited = await limit(db(), [`pictures of returns of ${userId}`, 20, HOUR]);
  if (!limited.ok) return "too-often";
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
