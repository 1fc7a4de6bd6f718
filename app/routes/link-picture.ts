import { linkPictureResponse } from "#app/catalog/link-pictures/response.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";

/** The picture that chats and other sites show for a link to a page: `/link/home.jpg`, `/link/collections/ID.jpg`. */
export async function get(request: Request, { place, file = "" }: Record<string, string>): Promise<ApiAnswer> {
  const [, name] = /^([\w-]{1,100})\.jpg$/.exec(file) ?? [];
  const page = place ? `${place}/${name}` : name;
  const found = name && page && (await linkPictureResponse(db(), page, request));
  return found || { status: 404, json: { problem: "There’s no such picture" } };
}
