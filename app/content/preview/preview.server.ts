import { sql } from "kysely";
import type { HomeContents } from "#app/catalog/home/hero.server.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { millisecondsSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { cookieIn, serverCookie } from "#app/infra/http/cookie.server.ts";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { codeHashOf, newCode } from "#app/infra/secrets/link-code.server.ts";
import { isTextPage, TEXT_PAGES } from "../pages.ts";

/** The page about the preview that this browser has, where Leave is posted to. Links are below it. */
export const PREVIEW_PATH = "/preview";

const COOKIE = "irepo.preview";
const LINK_LIFETIME = MINUTE;
const LIFETIME = 30 * MINUTE;

/** The name of the home page. */
export const HOME = "home";

/** A draft of the page that is stored under this name. `draft` is as the column has it. */
export type Preview = { linkHash: Buffer; page: string; draft: unknown };

/** The address of the page in the shop. */
function pathOf(page: string): string {
  return isTextPage(page) ? TEXT_PAGES[page].path : "/";
}

/**
 * Makes a link that shows a draft in the shop, once and within a minute. It takes the place of the member's links that
 * nobody has opened. `draft`: the column's JSON; null for the text in code.
 */
export async function makePreview(
  on: Db,
  { page, draft, madeBy }: { page: string; draft: string | null; madeBy: string },
): Promise<string> {
  const code = newCode();
  await on
    .with("replaced", (query) =>
      query.deleteFrom("previews").where("madeBy", "=", madeBy).where("cookieHash", "is", null),
    )
    .insertInto("previews")
    .values({ linkHash: hashOf(code), page, draft, madeBy, endsAt: fromNow(LINK_LIFETIME) })
    .execute();
  return new URL(`${PREVIEW_PATH}/${code}`, env.publicUrl).href;
}

function hashOf(code: string): Buffer {
  const hash = codeHashOf(code);
  if (!hash) throw new Error("A new code has a hash");
  return hash;
}

const fromNow = (duration: number) => sql<Date>`now() + ${millisecondsSql(duration)}`;

/**
 * Uses a link up. Returns the path of the page, and the cookie by which this browser sees its draft; no cookie if these
 * `cookies`, as a raw header, have it: a link may be pressed twice. Undefined for an unknown link, one that another
 * browser has used, and one that is too old.
 */
export async function openPreview(
  on: Db,
  code: string,
  cookies: string,
): Promise<{ path: string; cookie?: string } | undefined> {
  const linkHash = codeHashOf(code);
  if (!linkHash) return;
  const own = await findPreview(on, cookies);
  if (own?.linkHash.equals(linkHash)) return { path: pathOf(own.page) };
  const token = newCode();
  const opened = await on
    .updateTable("previews")
    .set({ cookieHash: hashOf(token), endsAt: fromNow(LIFETIME) })
    .where("linkHash", "=", linkHash)
    .where("cookieHash", "is", null)
    .where("endsAt", ">", sql<Date>`now()`)
    .returning("page")
    .executeTakeFirst();
  return opened && { path: pathOf(opened.page), cookie: serverCookie(COOKIE, token, LIFETIME) };
}

const ofCookies = statement(
  {
    takes: { cookieHashes: sqlType.json<string[]>() },
    gives: {
      cookie: sqlType.text,
      linkHash: sqlType.bytes,
      page: sqlType.text,
      draft: sqlType.orNull(sqlType.json<unknown>()),
    },
  },
  `select encode(cookie_hash, 'hex') as cookie, link_hash, page, draft from previews
   where cookie_hash = any(array(select decode(asked, 'hex') from jsonb_array_elements_text(:cookieHashes) asked))
     and ends_at > now()`,
);
/** One query for many requests, as cookies can be invented. */
const findByCookies = batched(async (on, cookieHashes: string[]): Promise<Map<string, Preview>> => {
  const rows = await ofCookies(on, { cookieHashes });
  return new Map(rows.map(({ cookie, ...preview }) => [cookie, preview]));
});

/** Whether a browser with these cookies, as a raw header, may have a preview: only then is it looked up. */
export function mayPreview(cookies: string): boolean {
  return cookies.includes(COOKIE);
}

/** What was found for the requests that are being answered, so that several readers cost one statement. */
const found = new WeakMap<object, Promise<Preview | undefined>>();

/** The preview of a browser with these cookies, as a raw header. Undefined without one, and after its end. */
export async function findPreview(on: Db, cookies: string): Promise<Preview | undefined> {
  const cookieHash = mayPreview(cookies) && codeHashOf(cookieIn(cookies, COOKIE) ?? "");
  if (!cookieHash) return;
  const request = currentRequest();
  const known = request && found.get(request);
  if (known) return known;
  const cookie = cookieHash.toString("hex");
  const finding = findByCookies(on, cookie).then((previews) => previews.get(cookie));
  if (request) found.set(request, finding);
  return finding;
}

/** What this browser previews of the home page: slides or sections, which were checked when the link was made. */
export async function homeDraft(on: Db, cookies: string): Promise<Partial<HomeContents>> {
  const preview = await findPreview(on, cookies);
  return preview?.page === HOME ? (preview.draft as Partial<HomeContents>) : {};
}

/** Ends this browser's preview. Returns the path of its page, and a cookie that deletes its own. */
export async function leavePreview(on: Db, cookies: string): Promise<{ path: string; cookie: string }> {
  const cookieHash = codeHashOf(cookieIn(cookies, COOKIE) ?? "");
  const left =
    cookieHash &&
    (await on.deleteFrom("previews").where("cookieHash", "=", cookieHash).returning("page").executeTakeFirst());
  return { path: pathOf(left?.page ?? ""), cookie: serverCookie(COOKIE, "", 0) };
}

/** Deletes previews that have ended, and links that were not opened in time. */
export async function deleteEndedPreviews(on: Db): Promise<void> {
  await on.deleteFrom("previews").where("endsAt", "<", sql<Date>`now()`).execute();
}
